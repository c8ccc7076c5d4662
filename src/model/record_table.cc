#include "dolmen/detail/record_table.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "model/actions.h"
#include "model/attribute_codec.h"
#include "model/record_codec.h"
#include "model/types.h"
#include "model/write_policy.h"

namespace dolmen::detail {

namespace {

using mapping::Member;

const Member* member_of(const RecordType& type, std::string_view attribute) {
  const auto found = std::ranges::find(type.members, attribute, &Member::attribute);
  return found == type.members.end() ? nullptr : &*found;
}

/// Why a member can never hold the attribute; empty when it can.
std::string misfit(const ModelAttribute& attribute, TypeSet types) {
  using mapping::text_of;
  if (is_json_text(attribute)) {
    const TypeSet unsuited{Type::kBinary, Type::kStringSet, Type::kNumberSet, Type::kBinarySet};
    const TypeSet suited{Type::kString, Type::kNumber, Type::kBool, Type::kList, Type::kMap};
    return types.overlaps(unsuited) && !types.overlaps(suited)
               ? fmt::format("is written as {}, but attribute \"{}\" is json, and JSON has no sets and no bytes",
                             text_of(types), attribute.name)
               : "";
  }
  if (types.contains(attribute.type)) return "";
  const bool time_for_seconds = attribute.type == Type::kNumber && types.contains(Type::kString) &&
                                (attribute.has_role(Role::kTtl) || attribute.format == AttributeFormat::kUnixSeconds);
  return fmt::format("is written as {}, but attribute \"{}\" is of type {}{}", text_of(types), attribute.name,
                     type_name(attribute.type), time_for_seconds ? "; a time needs as_seconds" : "");
}

Result<void> check_fit(const Model& model, const RecordType& type) {
  std::vector<ErrorDetail> problems;
  for (const Member& member : type.members) {
    const ModelAttribute* attribute = model.find(member.attribute);
    const std::string why = attribute == nullptr ? fmt::format("is attribute \"{}\", which model \"{}\" does not have",
                                                               member.attribute, model.name)
                                                 : misfit(*attribute, member.type->types);
    if (!why.empty()) problems.push_back({std::string(member.name), "member", why});
  }
  for (const KeyAttribute* key : {&model.partition_key, model.sort_key ? &*model.sort_key : nullptr})
    if (key != nullptr && member_of(type, key->name) == nullptr)
      problems.push_back({key->name, "member", "is part of the key and has no member"});
  if (problems.empty()) return {};
  std::string message;
  for (const ErrorDetail& problem : problems)
    fmt::format_to(std::back_inserter(message), "{}{}.{} {}", message.empty() ? "" : "; ", type.name, problem.path,
                   problem.message);
  return std::unexpected(Error(Code::kInvalidModel, std::move(message), std::move(problems)));
}

/// A value of a member as conditions and updates take it. `mistake` is set when it cannot be written.
LogicalValue logical_value(const Member& member, const void* value, std::string_view record, std::string& mistake) {
  mapping::Context context;
  const mapping::Context::Step step(context, mapping::Context::Step::Kind::kMember, member.name);
  const AttributeValue written = member.type->write(context, value);
  if (!context.problems().empty()) mistake = context.error(record).message();
  // Only the table knows in which form it stores times.
  const std::string* text = member.type->is_time ? written.get_if<std::string>() : nullptr;
  return text == nullptr ? LogicalValue::from(written) : LogicalValue(parse_timestamp(*text).value());
}

}  // namespace

// ---- Comparisons and changes ----

MemberComparison::MemberComparison(const RecordType& type, std::string attribute, Operator op)
    : member_(member_of(type, attribute)), record_(type.name), attribute_(std::move(attribute)), op_(op) {
  if (member_ == nullptr)
    mistake_ = fmt::format("a condition names a member of {} that DOLMEN_RECORD does not name", record_);
}

void MemberComparison::add(const void* value) {
  if (member_ == nullptr) return;
  values_.push_back(logical_value(*member_, value, record_, mistake_));
}

FieldCondition MemberComparison::condition() && {
  if (!mistake_.empty()) return FieldCondition::mistake(std::move(mistake_));
  return FieldCondition::compare(std::move(attribute_), op_, std::move(values_));
}

WrittenChange written_change(const RecordType& type, FieldUpdate::Kind kind, std::string_view attribute,
                             const void* value) {
  const Member* member = member_of(type, attribute);
  if (member == nullptr)
    return {.mistake = fmt::format("an update names a member of {} that DOLMEN_RECORD does not name", type.name)};
  WrittenChange written{.change = {.kind = kind, .field = std::string(attribute)}};
  if (value == nullptr) return written;
  written.change.value = logical_value(*member, value, type.name, written.mistake);
  // What is left out of an item is taken out of it.
  if (kind == FieldUpdate::Kind::kSet && written.change.value.is_null() && member->type->left_out_when_null)
    written.change.kind = FieldUpdate::Kind::kRemove;
  return written;
}

Result<void> add_change(FieldUpdate& update, const WrittenChange& change) {
  if (!change.mistake.empty()) return fail(Code::kInvalidModel, "{}", change.mistake);
  update.change(change.change);
  return {};
}

// ---- The table ----

RecordTable::RecordTable(ModelTable items, const RecordType& type) : items_(std::move(items)), type_(type) {
  const Model& model = source()->model;
  for (const ModelAttribute& attribute : model.attributes)
    slots_.push_back({.attribute = &attribute,
                      .member = member_of(type_, attribute.name),
                      .stored_as_written = is_stored_as_written(attribute),
                      .is_key = model.is_key(attribute.name),
                      .is_time = is_owned_time(attribute),
                      .is_version = attribute.has_role(Role::kVersion)});
  std::ranges::sort(slots_, {}, [](const Slot& slot) -> std::string_view { return slot.attribute->name; });
}

Result<RecordTable> RecordTable::open(Store& store, Model model, const RecordType& type, ModelTableOptions options) {
  if (!options.converters.empty())
    return fail(Code::kInvalidArgument, "DOLMEN_RECORD converts the members of {}; remove the other converters",
                type.name);
  DOLMEN_TRY(ModelTable items, ModelTable::open(store, std::move(model), std::move(options)));
  DOLMEN_TRY_VOID(check_fit(items.model(), type));
  return RecordTable(std::move(items), type);
}

const RecordTable::Slot* RecordTable::find(std::string_view attribute) const {
  const auto found =
      std::ranges::find(slots_, attribute, [](const Slot& slot) -> std::string_view { return slot.attribute->name; });
  return found == slots_.end() ? nullptr : &*found;
}

const RecordTable::Slot* RecordTable::version_slot() const {
  const auto found = std::ranges::find_if(slots_, &Slot::is_version);
  return found == slots_.end() || found->member == nullptr ? nullptr : &*found;
}

Result<LogicalItem> RecordTable::key_item(const ModelKey& key) const {
  const Model& model = source()->model;
  LogicalItem item{{model.partition_key.name, key.partition}};
  if (key.sort && !model.sort_key)
    return fail(Code::kInvalidModel, "model \"{}\" has no sort key, but a sort key was given", model.name);
  if (key.sort) item.emplace(model.sort_key->name, *key.sort);
  return item;
}

ModelKey RecordTable::key_from(const Item& key) const {
  const Model& model = source()->model;
  ModelKey result{.partition = LogicalValue::from(key.at(model.partition_key.name))};
  if (model.sort_key) result.sort = LogicalValue::from(key.at(model.sort_key->name));
  return result;
}

Result<ModelKey> RecordTable::key_of_record(const void* record) const {
  DOLMEN_TRY(const Item key, encode_key(record));
  return key_from(key);
}

Result<Item> RecordTable::encode_key(const ModelKey& key) const {
  const Model& model = source()->model;
  if (key.sort && !model.sort_key)
    return fail(Code::kInvalidModel, "model \"{}\" has no sort key, but a sort key was given", model.name);
  Item encoded;
  DOLMEN_TRY(AttributeValue partition,
             encode_key_part(model, model.partition_key, &key.partition, source()->encoding()));
  encoded.set(model.partition_key.name, std::move(partition));
  if (!model.sort_key) return encoded;
  DOLMEN_TRY(AttributeValue sort,
             encode_key_part(model, *model.sort_key, key.sort ? &*key.sort : nullptr, source()->encoding()));
  encoded.set(model.sort_key->name, std::move(sort));
  return encoded;
}

Result<Item> RecordTable::encode(const void* record) const { return Encoder(*this, record).item(); }

Result<Item> RecordTable::encode_key(const void* record) const {
  Encoder encoder(*this, record);
  Item key;
  for (Slot slot : slots_) {
    if (!slot.is_key) continue;
    // A time in a key is the record's, not the present.
    slot.is_time = false;
    if (std::optional<AttributeValue> value = encoder.value(slot)) key.set(slot.attribute->name, std::move(*value));
  }
  DOLMEN_TRY_VOID(encoder.verdict());
  return key;
}

void RecordTable::fill_in(const Item& stored, void* record) const {
  for (const Slot& slot : slots_) {
    if ((!slot.is_time && !slot.is_version) || slot.member == nullptr) continue;
    const AttributeValue* value = stored.find(slot.attribute->name);
    if (value == nullptr) continue;
    // It fits: the types were compared when the table was opened. What a member cannot hold, such as a version beyond
    // its range, was not written from there either.
    mapping::Context ignored;
    slot.member->type->read(ignored, *value, slot.member->locate(record));
  }
}

Result<void> RecordTable::decode(const Item& item, bool partial, void* record) const {
  return Decoder(*this, record, partial).item(item);
}

// ---- What is sent ----

Result<PutAction> RecordTable::create_action(const void* record) const {
  DOLMEN_TRY(Item stored, encode(record));
  return PutAction{.table = source()->table, .item = std::move(stored), .condition = item_is_new(source()->model)};
}

Result<PutAction> RecordTable::put_action(const void* record, const FieldCondition& condition) const {
  DOLMEN_TRY_VOID(check_replaceable(source()->model));
  DOLMEN_TRY(Item stored, encode(record));
  DOLMEN_TRY(Condition compiled, compile_condition(source()->model, condition, source()->encoding()));
  return PutAction{.table = source()->table, .item = std::move(stored), .condition = std::move(compiled)};
}

Result<UpdateAction> RecordTable::update_action(const void* record, const std::vector<std::string>& fields) const {
  const Model& model = source()->model;
  DOLMEN_TRY_VOID(check_encryption(model, source()->keys));
  DOLMEN_TRY_VOID(check_mutable(model, "an update"));
  DOLMEN_TRY_VOID(version_of(model));
  const Slot* version = version_slot();
  if (version == nullptr)
    return fail(Code::kInvalidModel, "{} has no member for the version, which an update needs", type_.name);
  KnownVersion known;
  DOLMEN_TRY(known.key, encode_key(record));
  DOLMEN_TRY_VOID(check_named_once(fields));
  Encoder encoder(*this, record);
  known.version = encoder.value(*version).value_or(AttributeValue(0));
  std::vector<FieldValue> values;
  for (const std::string& field : fields) {
    if (field.empty())
      return fail(Code::kInvalidModel, "an update names a member of {} that DOLMEN_RECORD does not name", type_.name);
    FieldValue& value = values.emplace_back();
    DOLMEN_TRY(value.attribute, updatable_field(model, {}, field));
    value.value = encoder.value(*find(field));
  }
  DOLMEN_TRY_VOID(encoder.verdict());
  return versioned_update(*source(), std::move(known), std::move(values), Timestamp::from(items_.options_.now()));
}

Result<DeleteAction> RecordTable::remove_action(const void* record) const {
  DOLMEN_TRY_VOID(check_encryption(source()->model, source()->keys));
  DOLMEN_TRY_VOID(check_mutable(source()->model, "a delete"));
  DeleteAction action{.table = source()->table, .key = {}};
  DOLMEN_TRY(action.key, encode_key(record));
  if (const Slot* version = version_slot(); version != nullptr) {
    Encoder encoder(*this, record);
    const std::optional<AttributeValue> value = encoder.value(*version);
    DOLMEN_TRY_VOID(encoder.verdict());
    action.condition = attr(version->attribute->name) == *value;
  }
  return action;
}

Result<std::vector<BatchAction>> RecordTable::batch(std::span<const void* const> puts,
                                                    const std::vector<ModelKey>& deletes) const {
  DOLMEN_TRY_VOID(check_encryption(source()->model, source()->keys));
  if (!puts.empty()) DOLMEN_TRY_VOID(check_replaceable(source()->model));
  if (!deletes.empty()) DOLMEN_TRY_VOID(check_mutable(source()->model, "a delete"));
  std::vector<BatchAction> actions;
  for (const void* record : puts) {
    DOLMEN_TRY(Item stored, encode(record));
    actions.emplace_back(BatchPut{source()->table, std::move(stored)});
  }
  for (const ModelKey& key : deletes) {
    DOLMEN_TRY(Item encoded, encode_key(key));
    actions.emplace_back(BatchDelete{source()->table, std::move(encoded)});
  }
  return actions;
}

// ---- One record ----

Result<void> RecordTable::create(void* record) {
  DOLMEN_TRY(const PutAction action, create_action(record));
  DOLMEN_TRY_VOID(send(*source()->store, action));
  fill_in(action.item, record);
  return {};
}

Result<void> RecordTable::put(void* record, const FieldCondition& condition) {
  DOLMEN_TRY(const PutAction action, put_action(record, condition));
  DOLMEN_TRY_VOID(send(*source()->store, action));
  fill_in(action.item, record);
  return {};
}

Result<UpdateAction> RecordTable::upsert_action(const void* record) const {
  DOLMEN_TRY_VOID(check_mutable(source()->model, "an upsert"));
  DOLMEN_TRY(const Item stored, encode(record));
  const auto is_named = [&](const ModelAttribute& attribute) { return find(attribute.name)->member != nullptr; };
  return upsert_update(*source(), key_of(source()->model, stored), stored, is_named);
}

Result<void> RecordTable::upsert(void* record) {
  DOLMEN_TRY(const UpdateAction action, upsert_action(record));
  DOLMEN_TRY(const WriteResult written, send(*source()->store, action, ReturnValues::kAllNew));
  if (written.attributes) fill_in(*written.attributes, record);
  return {};
}

Result<void> RecordTable::get(const ModelKey& key, const ModelGetOptions& options, void* record) {
  DOLMEN_TRY_VOID(check_encryption(source()->model, source()->keys));
  DOLMEN_TRY(const Item encoded, encode_key(key));
  DOLMEN_TRY(const Item stored, items_.get_stored(encoded, options));
  return decode(stored, !options.fields.empty(), record);
}

Result<void> RecordTable::update(void* record, const std::vector<std::string>& fields) {
  DOLMEN_TRY(const UpdateAction action, update_action(record, fields));
  DOLMEN_TRY(const WriteResult written, send(*source()->store, action, ReturnValues::kUpdatedNew));
  if (written.attributes) fill_in(*written.attributes, record);
  return {};
}

Result<void> RecordTable::remove(const void* record) {
  DOLMEN_TRY(const DeleteAction action, remove_action(record));
  return send(*source()->store, action);
}

Result<void> RecordTable::remove_key(const ModelKey& key, const ModelRemoveOptions& options) {
  DOLMEN_TRY(const LogicalItem item, key_item(key));
  return items_.remove(item, options);
}

Result<std::optional<Item>> RecordTable::change(const ModelKey& key, const FieldUpdate& update,
                                                const ChangeOptions& options) {
  DOLMEN_TRY(const LogicalItem item, key_item(key));
  DOLMEN_TRY(const UpdateAction action, items_.change_action(item, update, options));
  DOLMEN_TRY(WriteResult written, send(*source()->store, action, options.return_values));
  return std::move(written.attributes);
}

Result<ModelSearch> RecordTable::search(const std::string& index, const ModelSearchOptions& options) const {
  std::vector<std::string> fields;
  for (const Slot& slot : slots_)
    if (slot.member != nullptr) fields.push_back(slot.attribute->name);
  return model_search(*source(), index, options, fields);
}

Result<GetAllResult> RecordTable::get_many(const std::vector<ModelKey>& keys, bool consistent_read,
                                           const BatchRetry& retry) {
  DOLMEN_TRY_VOID(check_encryption(source()->model, source()->keys));
  KeysOfTable wanted{.table = source()->table, .keys = {}, .consistent_read = consistent_read};
  for (const ModelKey& key : keys) {
    DOLMEN_TRY(wanted.keys.emplace_back(), encode_key(key));
  }
  if (keys.empty()) return GetAllResult{};
  GetAllResult got = dolmen::get_all(*source()->store, {std::move(wanted)}, retry);
  if (got.error) return std::unexpected(std::move(*got.error));
  return got;
}

}  // namespace dolmen::detail
