#include "dolmen/detail/record_table.h"
#include "model/actions.h"
#include "model/attribute_codec.h"

namespace dolmen::detail {

void RecordTable::async_write(const PutAction& action, Callback<Item> done) const {
  async_send(*source()->store, action,
             [item = action.item, done = std::move(done)](Result<WriteResult> written) mutable {
               if (!written) return done(std::unexpected(std::move(written).error()));
               done(std::move(item));
             });
}

void RecordTable::async_write(const UpdateAction& action, Callback<Item> done) const {
  async_send(*source()->store, action, ReturnValues::kAllNew,
             [done = std::move(done)](Result<WriteResult> written) mutable {
               if (!written) return done(std::unexpected(std::move(written).error()));
               done(std::move(written->attributes).value_or(Item()));
             });
}

void RecordTable::async_get(const ModelKey& key, const ModelGetOptions& options, Callback<Item> done) const {
  const Result<void> configured = check_encryption(source()->model, source()->keys);
  if (!configured) return done(std::unexpected(configured.error()));
  const Result<Item> encoded = encode_key(key);
  if (!encoded) return done(std::unexpected(encoded.error()));
  items_.async_get_stored(*encoded, options, std::move(done));
}

void RecordTable::async_remove(const void* record, Callback<void> done) const {
  const Result<DeleteAction> action = remove_action(record);
  if (!action) return done(std::unexpected(action.error()));
  async_send(*source()->store, *action, [done = std::move(done)](Result<WriteResult> removed) mutable {
    done(removed ? Result<void>() : Result<void>(std::unexpected(std::move(removed).error())));
  });
}

Result<std::vector<TransactGet>> RecordTable::transact_gets(const std::vector<ModelKey>& keys) const {
  DOLMEN_TRY_VOID(check_encryption(source()->model, source()->keys));
  DOLMEN_TRY_VOID(check_snapshot_size(keys.size()));
  std::vector<TransactGet> gets;
  for (const ModelKey& key : keys) {
    DOLMEN_TRY(Item encoded, encode_key(key));
    gets.push_back({.table = source()->table, .key = std::move(encoded)});
  }
  return gets;
}

Result<std::vector<std::optional<Item>>> RecordTable::transact_get(const std::vector<ModelKey>& keys) const {
  DOLMEN_TRY(const std::vector<TransactGet> gets, transact_gets(keys));
  DOLMEN_TRY(TransactGetResult got, source()->store->transact_get(gets));
  return std::move(got.items);
}

void RecordTable::async_transact_get(const std::vector<ModelKey>& keys,
                                     Callback<std::vector<std::optional<Item>>> done) const {
  const Result<std::vector<TransactGet>> gets = transact_gets(keys);
  if (!gets) return done(std::unexpected(gets.error()));
  source()->store->async_transact_get(*gets, {}, [done = std::move(done)](Result<TransactGetResult> got) mutable {
    if (!got) return done(std::unexpected(std::move(got).error()));
    done(std::move(got->items));
  });
}

}  // namespace dolmen::detail
