#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "dolmen/model/query.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"

/// What the store is sent for the operations of a model, whatever the items were made of.
namespace dolmen {

/// A field of an update: the attribute and its new value as it is stored; without a value it is removed.
struct FieldValue {
  const ModelAttribute* attribute = nullptr;
  std::optional<AttributeValue> value = std::nullopt;
};

Condition item_is_new(const Model& model);

/// Fails with kInvalidModel when there is no such attribute, or when it is not the caller's to change, and with
/// kProtectedFieldMutation when the model protects it or it is among `more`.
Result<const ModelAttribute*> updatable_field(const Model& model, const std::vector<std::string>& more,
                                              std::string_view name);

/// Fails with kInvalidModel when a name occurs twice.
Result<void> check_named_once(const std::vector<std::string>& fields);

/// Fails with kInvalidModel when there is none.
Result<const ModelAttribute*> version_of(const Model& model);

/// An item and the version that it must still have.
struct KnownVersion {
  Item key;
  AttributeValue version;
};

/// Sets or removes the fields provided that the item has that version, counts the version, and sets updated_at.
Result<UpdateAction> versioned_update(const detail::ModelSource& source, KnownVersion known,
                                      std::vector<FieldValue> fields, const Timestamp& now);

/// Makes the item `stored`, or sets its attributes in the one that is there; of the attributes that `stored` lacks,
/// those that `is_named` are removed. Fails with kProtectedFieldMutation when one of those that it has or `is_named` is
/// protected.
Result<UpdateAction> upsert_update(const detail::ModelSource& source, Item key, const Item& stored,
                                   const std::function<bool(const ModelAttribute&)>& is_named);

/// The key of an item that is whole.
Item key_of(const Model& model, const Item& stored);

Result<void> send(Store& store, const PutAction& action);
Result<WriteResult> send(Store& store, const UpdateAction& action, ReturnValues values = ReturnValues::kNone);
Result<void> send(Store& store, const DeleteAction& action);

void async_send(Store& store, const PutAction& action, Callback<WriteResult> done);
void async_send(Store& store, const UpdateAction& action, ReturnValues values, Callback<WriteResult> done);
void async_send(Store& store, const DeleteAction& action, Callback<WriteResult> done);

/// Of the items that are read as they were at one moment. Fails with kInvalidOperator.
Result<void> check_snapshot_size(std::size_t keys);

}  // namespace dolmen
