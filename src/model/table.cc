#include "dolmen/model/model_table.h"

#include "base/clock.h"
#include "base/fail.h"
#include "model/actions.h"
#include "model/attribute_codec.h"
#include "model/guarded_update.h"
#include "model/types.h"
#include "model/write_policy.h"

namespace dolmen {

namespace {

const LogicalValue* find(const LogicalItem& item, const std::string& name) {
  const auto found = item.find(name);
  return found == item.end() ? nullptr : &found->second;
}

Projection projection_of(const std::vector<std::string>& fields) {
  std::vector<Path> paths;
  for (const std::string& field : fields) paths.push_back(attr(field));
  return paths;
}

Result<void> check_converters(const Model& model, const Converters& converters) {
  for (const auto& [name, converter] : converters) {
    const ModelAttribute* attribute = model.find(name);
    if (attribute == nullptr)
      return fail(Code::kInvalidModel, "a converter is given for \"{}\", which is not an attribute of model \"{}\"",
                  name, model.name);
    if (is_owned(*attribute))
      return fail(Code::kInvalidModel, "\"{}\" is set by the library and cannot be converted", name);
    if (!converter.to_stored || !converter.from_stored)
      return fail(Code::kInvalidModel, "the converter for \"{}\" must convert in both directions", name);
  }
  return {};
}

/// What a field of `item` becomes; it is removed when it is empty and the model says omit_empty.
Result<FieldValue> field_value(const detail::ModelSource& source, const ModelAttribute& attribute,
                               const LogicalItem& item, bool check_required) {
  const LogicalValue* value = find(item, attribute.name);
  if (value == nullptr) return fail(Code::kInvalidModel, "the item has no value for \"{}\"", attribute.name);
  FieldValue result{.attribute = &attribute};
  const bool is_left_out = attribute.omit_empty && is_empty_value(attribute, *value);
  if (check_required && attribute.required && (is_left_out || is_stored_as_null(attribute, *value)))
    return fail(Code::kInvalidModel, "the required attribute \"{}\" cannot be empty", attribute.name);
  if (is_left_out) return result;
  DOLMEN_TRY(result.value, encode_attribute(source.model, attribute, *value, source.encoding()));
  return result;
}

}  // namespace

ModelTable::ModelTable(std::shared_ptr<const detail::ModelSource> source, ModelTableOptions options)
    : source_(std::move(source)), options_(std::move(options)) {
  options_.now = or_system_clock(std::move(options_.now));
}

Result<ModelTable> ModelTable::open(Store& store, Model model, ModelTableOptions options) {
  DOLMEN_TRY_VOID(check_model(model));
  DOLMEN_TRY_VOID(check_converters(model, options.converters));
  auto source = std::make_shared<detail::ModelSource>();
  source->store = &store;
  source->table = options.table.empty() ? model.table : options.table;
  source->model = std::move(model);
  source->keys = options.keys;
  source->timestamp_form = options.timestamp_form;
  source->converters = std::move(options.converters);
  return ModelTable(std::move(source), std::move(options));
}

PutEncodeOptions ModelTable::put_options() const {
  return {
      .now = Timestamp::from(options_.now()), .values = source_->encoding(), .check_required = options_.check_required};
}

Result<Condition> ModelTable::version_condition(const std::optional<std::int64_t>& version) const {
  if (!version) return Condition();
  const ModelAttribute* attribute = model().with_role(Role::kVersion);
  if (attribute == nullptr)
    return fail(Code::kInvalidModel, "model \"{}\" has no version attribute, so no version can be expected",
                model().name);
  return attr(attribute->name) == *version;
}

namespace {

detail::DecodeItem<LogicalItem> decoder(const std::shared_ptr<const detail::ModelSource>& source) {
  return [source](const Item& item, bool /*partial*/) -> Result<LogicalItem> {
    DOLMEN_TRY(DecodedItem decoded, decode_item(source->model, item, source->decoding()));
    return std::move(decoded.values);
  };
}

}  // namespace

ModelQuery ModelTable::query() const { return {detail::ModelQueryPlan{.source = source_}, decoder(source_)}; }

ModelScan ModelTable::scan() const { return {detail::ModelScanPlan{.source = source_}, decoder(source_)}; }

// ---- What is sent ----

Result<PutAction> ModelTable::put_action(const LogicalItem& item, const FieldCondition& condition) const {
  DOLMEN_TRY_VOID(check_replaceable(model()));
  DOLMEN_TRY(Item stored, encode_put(model(), item, put_options()));
  DOLMEN_TRY(Condition compiled, compile_condition(model(), condition, source_->encoding()));
  return PutAction{.table = table(), .item = std::move(stored), .condition = std::move(compiled)};
}

Result<PutAction> ModelTable::create_action(const LogicalItem& item) const {
  DOLMEN_TRY(Item stored, encode_put(model(), item, put_options()));
  return PutAction{.table = table(), .item = std::move(stored), .condition = item_is_new(model())};
}

Result<UpdateAction> ModelTable::update_action(const LogicalItem& item, const std::vector<std::string>& fields,
                                               const ModelUpdateOptions& options) const {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  DOLMEN_TRY_VOID(check_mutable(model(), "an update"));
  DOLMEN_TRY(const ModelAttribute* version, version_of(model()));
  KnownVersion known;
  DOLMEN_TRY(known.key, encode_key(model(), item, source_->encoding()));
  const LogicalValue* current = find(item, version->name);
  const std::string* text = current == nullptr ? nullptr : current->get_if<std::string>();
  if (current == nullptr || current->is_null() || (text != nullptr && text->empty()))
    return fail(Code::kInvalidModel, "the item has no \"{}\", which an update needs", version->name);
  DOLMEN_TRY(known.version, encode_attribute(model(), *version, *current));
  DOLMEN_TRY_VOID(check_named_once(fields));
  std::vector<FieldValue> values;
  for (const std::string& field : fields) {
    DOLMEN_TRY(const ModelAttribute* attribute, updatable_field(model(), options.protected_attributes, field));
    DOLMEN_TRY(values.emplace_back(), field_value(*source_, *attribute, item, options_.check_required));
  }
  return versioned_update(*source_, std::move(known), std::move(values), Timestamp::from(options_.now()));
}

Result<UpdateAction> ModelTable::upsert_action(const LogicalItem& item) const {
  DOLMEN_TRY_VOID(check_mutable(model(), "an upsert"));
  // What a put would store says what is missing and what does not fit.
  DOLMEN_TRY(const Item stored, encode_put(model(), item, put_options()));
  const auto is_named = [&](const ModelAttribute& attribute) { return item.contains(attribute.name); };
  return upsert_update(*source_, key_of(model(), stored), stored, is_named);
}

Result<UpdateAction> ModelTable::change_action(const LogicalItem& key, const FieldUpdate& update,
                                               const ChangeOptions& options) const {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  const EncodeOptions encoding = source_->encoding();
  UpdateAction action{.table = table(), .key = {}, .update = {}};
  DOLMEN_TRY(action.key, encode_key(model(), key, encoding));
  DOLMEN_TRY(Condition condition, compile_condition(model(), options.condition, encoding));
  DOLMEN_TRY(GuardedUpdate compiled, compile_guarded_update(model(), update,
                                                            {.values = encoding,
                                                             .check_required = options_.check_required,
                                                             .protected_attributes = options.protected_attributes}));
  DOLMEN_TRY(Condition same_version, version_condition(options.expected_version));
  action.condition = std::move(same_version) && std::move(condition) && std::move(compiled.guard);
  action.update = std::move(compiled.update);
  const ModelAttribute* version = model().with_role(Role::kVersion);
  if (version != nullptr && options.count_version) action.update.increment_or_start(attr(version->name), 1, -1);
  for (const ModelAttribute& attribute : model().attributes) {
    if (!is_owned_time(attribute) || model().is_key(attribute.name)) continue;
    DOLMEN_TRY(AttributeValue now, encode_attribute(model(), attribute, Timestamp::from(options_.now()), encoding));
    if (attribute.has_role(Role::kUpdatedAt))
      action.update.set(attr(attribute.name), std::move(now));
    else
      action.update.set_if_not_exists(attr(attribute.name), std::move(now));
  }
  return action;
}

Result<DeleteAction> ModelTable::remove_action(const LogicalItem& key, const ModelRemoveOptions& options) const {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  DOLMEN_TRY_VOID(check_mutable(model(), "a delete"));
  DeleteAction action{.table = table(), .key = {}};
  DOLMEN_TRY(action.key, encode_key(model(), key, source_->encoding()));
  DOLMEN_TRY(Condition condition, compile_condition(model(), options.condition, source_->encoding()));
  DOLMEN_TRY(Condition same_version, version_condition(options.expected_version));
  action.condition = std::move(same_version) && std::move(condition);
  return action;
}

Result<CheckAction> ModelTable::check_action(const LogicalItem& key, const FieldCondition& condition) const {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  if (condition.empty()) return fail(Code::kInvalidOperator, "a condition check needs a condition");
  CheckAction action{.table = table(), .key = {}, .condition = {}};
  DOLMEN_TRY(action.key, encode_key(model(), key, source_->encoding()));
  DOLMEN_TRY(action.condition, compile_condition(model(), condition, source_->encoding()));
  return action;
}

// ---- One item ----

Result<void> ModelTable::create(const LogicalItem& item) {
  DOLMEN_TRY(const PutAction action, create_action(item));
  return send(*source_->store, action);
}

Result<void> ModelTable::put(const LogicalItem& item, const FieldCondition& condition) {
  DOLMEN_TRY(const PutAction action, put_action(item, condition));
  return send(*source_->store, action);
}

Result<void> ModelTable::upsert(const LogicalItem& item) {
  DOLMEN_TRY(const UpdateAction action, upsert_action(item));
  DOLMEN_TRY_VOID(send(*source_->store, action));
  return {};
}

Result<Item> ModelTable::get_stored(const Item& key, const ModelGetOptions& options) {
  DOLMEN_TRY(GetResult found, source_->store->get_item(table(), key,
                                                       {.projection = projection_of(options.fields),
                                                        .consistent_read = options.consistent_read}));
  if (!found.item) return fail(Code::kItemNotFound, "no {} has that key", model().name);
  return std::move(*found.item);
}

void ModelTable::async_get_stored(const Item& key, const ModelGetOptions& options, Callback<Item> done) const {
  source_->store->async_get_item(
      table(), key, {.projection = projection_of(options.fields), .consistent_read = options.consistent_read},
      [source = source_, done = std::move(done)](Result<GetResult> found) mutable {
        if (!found) return done(std::unexpected(std::move(found).error()));
        if (!found->item) return done(fail(Code::kItemNotFound, "no {} has that key", source->model.name));
        done(std::move(*found->item));
      });
}

Result<DecodedItem> ModelTable::get_all_attributes(const LogicalItem& key, const ModelGetOptions& options) {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  DOLMEN_TRY(const Item encoded, encode_key(model(), key, source_->encoding()));
  DOLMEN_TRY(const Item stored, get_stored(encoded, options));
  return decode_item(model(), stored, source_->decoding());
}

Result<LogicalItem> ModelTable::get(const LogicalItem& key, const ModelGetOptions& options) {
  DOLMEN_TRY(DecodedItem item, get_all_attributes(key, options));
  return std::move(item.values);
}

Result<void> ModelTable::update(const LogicalItem& item, const std::vector<std::string>& fields,
                                const ModelUpdateOptions& options) {
  DOLMEN_TRY(const UpdateAction action, update_action(item, fields, options));
  DOLMEN_TRY_VOID(send(*source_->store, action));
  return {};
}

Result<LogicalItem> ModelTable::change(const LogicalItem& key, const FieldUpdate& update,
                                       const ChangeOptions& options) {
  DOLMEN_TRY(const UpdateAction action, change_action(key, update, options));
  DOLMEN_TRY(const WriteResult written, send(*source_->store, action, options.return_values));
  if (!written.attributes) return LogicalItem();
  DOLMEN_TRY(DecodedItem item, decode_item(model(), *written.attributes, source_->decoding()));
  return std::move(item.values);
}

Result<void> ModelTable::remove(const LogicalItem& key, const ModelRemoveOptions& options) {
  DOLMEN_TRY(const DeleteAction action, remove_action(key, options));
  return send(*source_->store, action);
}

}  // namespace dolmen
