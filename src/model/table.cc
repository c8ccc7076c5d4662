#include "dolmen/model_table.h"

#include <algorithm>

#include "base/clock.h"
#include "base/fail.h"

namespace dolmen {

namespace {

const LogicalValue* find(const LogicalItem& item, const std::string& name) {
  const auto found = item.find(name);
  return found == item.end() ? nullptr : &found->second;
}

bool is_owned(const ModelAttribute& attribute) {
  return attribute.has_role(Role::kCreatedAt) || attribute.has_role(Role::kUpdatedAt) ||
         attribute.has_role(Role::kVersion);
}

Projection projection_of(const std::vector<std::string>& fields) {
  std::vector<Path> paths;
  for (const std::string& field : fields) paths.push_back(attr(field));
  return paths;
}

Condition item_is_new(const Model& model) { return attr(model.partition_key.name).not_exists(); }

}  // namespace

ModelTable::ModelTable(Store& store, Model model, ModelTableOptions options)
    : store_(&store), model_(std::move(model)), options_(std::move(options)) {
  table_ = options_.table.empty() ? model_.table : options_.table;
  if (!options_.now) options_.now = [] { return Timestamp::from(system_clock().now()); };
}

Result<ModelTable> ModelTable::open(Store& store, Model model, ModelTableOptions options) {
  DOLMEN_TRY_VOID(check_model(model));
  return ModelTable(store, std::move(model), std::move(options));
}

EncodeOptions ModelTable::encoding() const {
  return {.keys = options_.keys, .timestamp_form = options_.timestamp_form};
}

DecodeOptions ModelTable::decoding() const { return {.keys = options_.keys}; }

Result<Item> ModelTable::encode(const LogicalItem& item) const {
  return encode_put(model_, item,
                    {.now = options_.now(), .values = encoding(), .check_required = options_.check_required});
}

Result<Condition> ModelTable::version_condition(const std::optional<std::int64_t>& version) const {
  if (!version) return Condition();
  const ModelAttribute* attribute = model_.with_role(Role::kVersion);
  if (attribute == nullptr)
    return fail(Code::kInvalidModel, "model \"{}\" has no version to expect anything of", model_.name);
  return attr(attribute->name) == *version;
}

ModelSource ModelTable::source() const {
  return {.store = store_, .model = model_, .table = table_, .keys = options_.keys};
}

ModelQuery ModelTable::query() const { return ModelQuery(source()); }

ModelScan ModelTable::scan() const { return ModelScan(source()); }

// ---- What is sent ----

Result<PutAction> ModelTable::put_action(const LogicalItem& item, const FieldCondition& condition) const {
  DOLMEN_TRY(Item stored, encode(item));
  DOLMEN_TRY(Condition compiled, compile_condition(model_, condition));
  return PutAction{.table = table_, .item = std::move(stored), .condition = std::move(compiled)};
}

Result<PutAction> ModelTable::create_action(const LogicalItem& item) const {
  DOLMEN_TRY(Item stored, encode(item));
  return PutAction{.table = table_, .item = std::move(stored), .condition = item_is_new(model_)};
}

Result<void> ModelTable::set_field(Update& update, const LogicalItem& item, const std::string& field) const {
  const ModelAttribute* attribute = model_.find(field);
  if (attribute == nullptr)
    return fail(Code::kInvalidModel, "model \"{}\" has no attribute \"{}\"", model_.name, field);
  if (model_.is_key(field)) return fail(Code::kInvalidModel, "\"{}\" is part of the key and cannot be changed", field);
  if (is_owned(*attribute)) return fail(Code::kInvalidModel, "\"{}\" is set by the library alone", field);
  const LogicalValue* value = find(item, field);
  if (value == nullptr) return fail(Code::kInvalidModel, "the item has no value for \"{}\"", field);
  if (attribute->omit_empty && is_empty(*value)) {
    update.remove(attr(field));
    return {};
  }
  DOLMEN_TRY(AttributeValue encoded, encode_attribute(model_, *attribute, *value, encoding()));
  update.set(attr(field), std::move(encoded));
  return {};
}

Result<UpdateAction> ModelTable::update_action(const LogicalItem& item, const std::vector<std::string>& fields) const {
  DOLMEN_TRY_VOID(check_encryption(model_, options_.keys));
  const ModelAttribute* version = model_.with_role(Role::kVersion);
  if (version == nullptr)
    return fail(Code::kInvalidModel, "model \"{}\" has no version; change it by a FieldUpdate instead", model_.name);
  DOLMEN_TRY(Item key, encode_key(model_, item));
  const LogicalValue* current = find(item, version->name);
  const std::string* text = current == nullptr ? nullptr : current->get_if<std::string>();
  if (current == nullptr || current->is_null() || (text != nullptr && text->empty()))
    return fail(Code::kInvalidModel, "the item has no \"{}\", which an update must know", version->name);
  DOLMEN_TRY(AttributeValue expected, encode_attribute(model_, *version, *current, encoding()));

  UpdateAction action{.table = table_, .key = std::move(key), .update = {}};
  if (const ModelAttribute* updated = model_.with_role(Role::kUpdatedAt); updated != nullptr) {
    DOLMEN_TRY(AttributeValue now, encode_attribute(model_, *updated, options_.now(), encoding()));
    action.update.set(attr(updated->name), std::move(now));
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (std::ranges::find(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(i), fields[i]) !=
        fields.begin() + static_cast<std::ptrdiff_t>(i))
      return fail(Code::kInvalidModel, "\"{}\" is named twice", fields[i]);
    DOLMEN_TRY_VOID(set_field(action.update, item, fields[i]));
  }
  action.update.add(attr(version->name), 1);
  action.condition = attr(version->name) == std::move(expected);
  return action;
}

Result<UpdateAction> ModelTable::change_action(const LogicalItem& key, const FieldUpdate& update,
                                               const ChangeOptions& options) const {
  DOLMEN_TRY_VOID(check_encryption(model_, options_.keys));
  UpdateAction action{.table = table_, .key = {}, .update = {}};
  DOLMEN_TRY(action.key, encode_key(model_, key));
  DOLMEN_TRY(Condition condition, compile_condition(model_, options.condition));
  DOLMEN_TRY(action.update, compile_update(model_, update, encoding()));
  DOLMEN_TRY(Condition same_version, version_condition(options.expected_version));
  action.condition = std::move(same_version) && std::move(condition);
  if (options.expected_version) action.update.add(attr(model_.with_role(Role::kVersion)->name), 1);
  if (const ModelAttribute* updated = model_.with_role(Role::kUpdatedAt); updated != nullptr) {
    DOLMEN_TRY(AttributeValue now, encode_attribute(model_, *updated, options_.now(), encoding()));
    action.update.set(attr(updated->name), std::move(now));
  }
  return action;
}

Result<DeleteAction> ModelTable::remove_action(const LogicalItem& key, const ModelRemoveOptions& options) const {
  DOLMEN_TRY_VOID(check_encryption(model_, options_.keys));
  DeleteAction action{.table = table_, .key = {}};
  DOLMEN_TRY(action.key, encode_key(model_, key));
  DOLMEN_TRY(Condition condition, compile_condition(model_, options.condition));
  DOLMEN_TRY(Condition same_version, version_condition(options.expected_version));
  action.condition = std::move(same_version) && std::move(condition);
  return action;
}

Result<CheckAction> ModelTable::check_action(const LogicalItem& key, const FieldCondition& condition) const {
  DOLMEN_TRY_VOID(check_encryption(model_, options_.keys));
  if (condition.empty()) return fail(Code::kInvalidOperator, "a condition check needs a condition");
  CheckAction action{.table = table_, .key = {}, .condition = {}};
  DOLMEN_TRY(action.key, encode_key(model_, key));
  DOLMEN_TRY(action.condition, compile_condition(model_, condition));
  return action;
}

// ---- One item ----

Result<void> ModelTable::create(const LogicalItem& item) {
  DOLMEN_TRY(const PutAction action, create_action(item));
  DOLMEN_TRY_VOID(store_->put_item(table_, action.item, {.condition = action.condition}));
  return {};
}

Result<void> ModelTable::put(const LogicalItem& item, const FieldCondition& condition) {
  DOLMEN_TRY(const PutAction action, put_action(item, condition));
  DOLMEN_TRY_VOID(store_->put_item(table_, action.item, {.condition = action.condition}));
  return {};
}

Result<void> ModelTable::upsert(const LogicalItem& item) {
  // What a put would store says what is missing and what does not fit.
  DOLMEN_TRY(const Item stored, encode(item));
  DOLMEN_TRY(const Item key, encode_key(model_, item));
  Update update;
  for (const ModelAttribute& attribute : model_.attributes) {
    const AttributeValue* value = stored.find(attribute.name);
    const Path path = attr(attribute.name);
    if (model_.is_key(attribute.name)) continue;
    if (attribute.has_role(Role::kVersion))
      update.increment_or_start(path, 1, -1);
    else if (attribute.has_role(Role::kCreatedAt))
      update.set_if_not_exists(path, *value);
    else if (value != nullptr)
      update.set(path, *value);
    else if (item.contains(attribute.name))
      update.remove(path);
  }
  DOLMEN_TRY_VOID(store_->update_item(table_, key, update));
  return {};
}

Result<DecodedItem> ModelTable::get_all_attributes(const LogicalItem& key, const ModelGetOptions& options) {
  DOLMEN_TRY_VOID(check_encryption(model_, options_.keys));
  DOLMEN_TRY(const Item encoded, encode_key(model_, key));
  DOLMEN_TRY(const GetResult found, store_->get_item(table_, encoded,
                                                     {.projection = projection_of(options.fields),
                                                      .consistent_read = options.consistent_read}));
  if (!found.item) return fail(Code::kItemNotFound, "there is no {} with that key", model_.name);
  return decode_item(model_, *found.item, decoding());
}

Result<LogicalItem> ModelTable::get(const LogicalItem& key, const ModelGetOptions& options) {
  DOLMEN_TRY(DecodedItem item, get_all_attributes(key, options));
  return std::move(item.values);
}

Result<void> ModelTable::update(const LogicalItem& item, const std::vector<std::string>& fields) {
  DOLMEN_TRY(const UpdateAction action, update_action(item, fields));
  DOLMEN_TRY_VOID(store_->update_item(table_, action.key, action.update, {.condition = action.condition}));
  return {};
}

Result<LogicalItem> ModelTable::change(const LogicalItem& key, const FieldUpdate& update,
                                       const ChangeOptions& options) {
  DOLMEN_TRY(const UpdateAction action, change_action(key, update, options));
  DOLMEN_TRY(const WriteResult written,
             store_->update_item(table_, action.key, action.update,
                                 {.condition = action.condition, .return_values = options.return_values}));
  if (!written.attributes) return LogicalItem();
  DOLMEN_TRY(DecodedItem item, decode_item(model_, *written.attributes, decoding()));
  return std::move(item.values);
}

Result<void> ModelTable::remove(const LogicalItem& key, const ModelRemoveOptions& options) {
  DOLMEN_TRY(const DeleteAction action, remove_action(key, options));
  DOLMEN_TRY_VOID(store_->delete_item(table_, action.key, {.condition = action.condition}));
  return {};
}

}  // namespace dolmen
