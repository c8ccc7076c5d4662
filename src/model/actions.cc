#include "model/actions.h"

#include <algorithm>

#include "base/fail.h"
#include "model/types.h"

namespace dolmen {

Condition item_is_new(const Model& model) { return attr(model.partition_key.name).not_exists(); }

Result<const ModelAttribute*> updatable_field(const Model& model, std::string_view name) {
  const ModelAttribute* attribute = model.find(name);
  if (attribute == nullptr) return fail(Code::kInvalidModel, "model \"{}\" has no attribute \"{}\"", model.name, name);
  if (model.is_key(name)) return fail(Code::kInvalidModel, "\"{}\" is part of the key and cannot be changed", name);
  if (is_owned(*attribute))
    return fail(Code::kInvalidModel, "\"{}\" is set by the library and cannot be written", name);
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

UpdateAction upsert_update(const detail::ModelSource& source, Item key, const Item& stored,
                           const std::function<bool(const ModelAttribute&)>& is_named) {
  UpdateAction action{.table = source.table, .key = std::move(key), .update = {}};
  for (const ModelAttribute& attribute : source.model.attributes) {
    if (source.model.is_key(attribute.name)) continue;
    const AttributeValue* value = stored.find(attribute.name);
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

}  // namespace dolmen
