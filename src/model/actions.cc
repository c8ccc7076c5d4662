#include "model/actions.h"

#include <algorithm>

#include "base/fail.h"
#include "base/limits.h"
#include "model/types.h"
#include "model/write_policy.h"

namespace dolmen {

Condition item_is_new(const Model& model) { return attr(model.partition_key.name).not_exists(); }

Result<const ModelAttribute*> updatable_field(const Model& model, const std::vector<std::string>& more,
                                              std::string_view name) {
  const ModelAttribute* attribute = model.find(name);
  if (attribute == nullptr) return fail(Code::kInvalidModel, "model \"{}\" has no attribute \"{}\"", model.name, name);
  if (model.is_key(name)) return fail(Code::kInvalidModel, "\"{}\" is part of the key and cannot be changed", name);
  if (is_owned(*attribute))
    return fail(Code::kInvalidModel, "\"{}\" is set by the library and cannot be written", name);
  DOLMEN_TRY_VOID(check_unprotected(model, more, name));
  return attribute;
}

Result<void> check_named_once(const std::vector<std::string>& fields) {
  for (auto field = fields.begin(); field != fields.end(); ++field)
    if (std::find(fields.begin(), field, *field) != field)
      return fail(Code::kInvalidModel, "\"{}\" is named twice", *field);
  return {};
}

Result<const ModelAttribute*> version_of(const Model& model) {
  const ModelAttribute* version = model.with_role(Role::kVersion);
  if (version == nullptr)
    return fail(Code::kInvalidModel, "model \"{}\" has no version attribute; use a FieldUpdate instead", model.name);
  return version;
}

Result<UpdateAction> versioned_update(const detail::ModelSource& source, KnownVersion known,
                                      std::vector<FieldValue> fields, const Timestamp& now) {
  UpdateAction action{.table = source.table, .key = std::move(known.key), .update = {}};
  if (const ModelAttribute* updated = source.model.with_role(Role::kUpdatedAt); updated != nullptr) {
    DOLMEN_TRY(AttributeValue text, encode_attribute(source.model, *updated, now, source.encoding()));
    action.update.set(attr(updated->name), std::move(text));
  }
  for (FieldValue& field : fields) {
    if (field.value)
      action.update.set(attr(field.attribute->name), std::move(*field.value));
    else
      action.update.remove(attr(field.attribute->name));
  }
  DOLMEN_TRY(const ModelAttribute* version, version_of(source.model));
  action.update.add(attr(version->name), 1);
  action.condition = attr(version->name) == std::move(known.version);
  return action;
}

Result<UpdateAction> upsert_update(const detail::ModelSource& source, Item key, const Item& stored,
                                   const std::function<bool(const ModelAttribute&)>& is_named) {
  UpdateAction action{.table = source.table, .key = std::move(key), .update = {}};
  for (const ModelAttribute& attribute : source.model.attributes) {
    if (source.model.is_key(attribute.name)) continue;
    const AttributeValue* value = stored.find(attribute.name);
    if (!is_owned(attribute) && (value != nullptr || is_named(attribute)))
      DOLMEN_TRY_VOID(check_unprotected(source.model, {}, attribute.name));
    const Path path = attr(attribute.name);
    if (attribute.has_role(Role::kVersion))
      action.update.increment_or_start(path, 1, -1);
    else if (attribute.has_role(Role::kCreatedAt))
      action.update.set_if_not_exists(path, *value);
    else if (value != nullptr)
      action.update.set(path, *value);
    else if (is_named(attribute))
      action.update.remove(path);
  }
  return action;
}

Item key_of(const Model& model, const Item& stored) {
  Item key{{model.partition_key.name, stored.at(model.partition_key.name)}};
  if (model.sort_key) key.set(model.sort_key->name, stored.at(model.sort_key->name));
  return key;
}

Result<void> send(Store& store, const PutAction& action) {
  DOLMEN_TRY_VOID(store.put_item(action.table, action.item, {.condition = action.condition}));
  return {};
}

Result<WriteResult> send(Store& store, const UpdateAction& action, ReturnValues values) {
  return store.update_item(action.table, action.key, action.update,
                           {.condition = action.condition, .return_values = values});
}

Result<void> send(Store& store, const DeleteAction& action) {
  DOLMEN_TRY_VOID(store.delete_item(action.table, action.key, {.condition = action.condition}));
  return {};
}

void async_send(Store& store, const PutAction& action, Callback<WriteResult> done) {
  store.async_put_item(action.table, action.item, {.condition = action.condition}, std::move(done));
}

void async_send(Store& store, const UpdateAction& action, ReturnValues values, Callback<WriteResult> done) {
  store.async_update_item(action, {.condition = action.condition, .return_values = values}, std::move(done));
}

void async_send(Store& store, const DeleteAction& action, Callback<WriteResult> done) {
  store.async_delete_item(action.table, action.key, {.condition = action.condition}, std::move(done));
}

Result<void> check_snapshot_size(std::size_t keys) {
  if (keys >= 1 && keys <= limits::kTransactionActions) return {};
  return fail(Code::kInvalidOperator, "a transaction reads 1 to {} items, not {}", limits::kTransactionActions, keys);
}

}  // namespace dolmen
