#include "dolmen/model/model_table.h"
#include "model/actions.h"
#include "model/attribute_codec.h"

namespace dolmen {

namespace {

using FoundItems = std::vector<std::optional<LogicalItem>>;

Result<FoundItems> decoded(const detail::ModelSource& source, const std::vector<std::optional<Item>>& items) {
  FoundItems found;
  for (const std::optional<Item>& item : items) {
    std::optional<LogicalItem>& values = found.emplace_back();
    if (!item) continue;
    DOLMEN_TRY(DecodedItem decoded, decode_item(source.model, *item, source.decoding()));
    values = std::move(decoded.values);
  }
  return found;
}

/// A call that gives nothing, for a write whose attributes nobody has asked for.
Callback<WriteResult> without_value(Callback<void> done) {
  return [done = std::move(done)](Result<WriteResult> written) mutable {
    done(written ? Result<void>() : Result<void>(std::unexpected(std::move(written).error())));
  };
}

}  // namespace

Result<std::vector<TransactGet>> ModelTable::transact_gets(const std::vector<LogicalItem>& keys) const {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  DOLMEN_TRY_VOID(check_snapshot_size(keys.size()));
  std::vector<TransactGet> gets;
  for (const LogicalItem& key : keys) {
    DOLMEN_TRY(Item encoded, encode_key(model(), key, source_->encoding()));
    gets.push_back({.table = table(), .key = std::move(encoded)});
  }
  return gets;
}

Result<FoundItems> ModelTable::transact_get(const std::vector<LogicalItem>& keys) {
  DOLMEN_TRY(const std::vector<TransactGet> gets, transact_gets(keys));
  DOLMEN_TRY(const TransactGetResult got, source_->store->transact_get(gets));
  return decoded(*source_, got.items);
}

void ModelTable::async_transact_get(const std::vector<LogicalItem>& keys, Callback<FoundItems> done) {
  const Result<std::vector<TransactGet>> gets = transact_gets(keys);
  if (!gets) return done(std::unexpected(gets.error()));
  source_->store->async_transact_get(*gets, {},
                                     [source = source_, done = std::move(done)](Result<TransactGetResult> got) mutable {
                                       if (!got) return done(std::unexpected(std::move(got).error()));
                                       done(decoded(*source, got->items));
                                     });
}

void ModelTable::async_create(const LogicalItem& item, Callback<void> done) {
  const Result<PutAction> action = create_action(item);
  if (!action) return done(std::unexpected(action.error()));
  async_send(*source_->store, *action, without_value(std::move(done)));
}

void ModelTable::async_put(const LogicalItem& item, const FieldCondition& condition, Callback<void> done) {
  const Result<PutAction> action = put_action(item, condition);
  if (!action) return done(std::unexpected(action.error()));
  async_send(*source_->store, *action, without_value(std::move(done)));
}

void ModelTable::async_upsert(const LogicalItem& item, Callback<void> done) {
  const Result<UpdateAction> action = upsert_action(item);
  if (!action) return done(std::unexpected(action.error()));
  async_send(*source_->store, *action, ReturnValues::kNone, without_value(std::move(done)));
}

void ModelTable::async_update(const LogicalItem& item, const std::vector<std::string>& fields, Callback<void> done) {
  const Result<UpdateAction> action = update_action(item, fields);
  if (!action) return done(std::unexpected(action.error()));
  async_send(*source_->store, *action, ReturnValues::kNone, without_value(std::move(done)));
}

void ModelTable::async_change(const LogicalItem& key, const FieldUpdate& update, const ChangeOptions& options,
                              Callback<LogicalItem> done) {
  const Result<UpdateAction> action = change_action(key, update, options);
  if (!action) return done(std::unexpected(action.error()));
  async_send(*source_->store, *action, options.return_values,
             [source = source_, done = std::move(done)](Result<WriteResult> written) mutable {
               if (!written) return done(std::unexpected(std::move(written).error()));
               if (!written->attributes) return done(LogicalItem());
               Result<DecodedItem> item = decode_item(source->model, *written->attributes, source->decoding());
               if (!item) return done(std::unexpected(std::move(item).error()));
               done(std::move(item->values));
             });
}

void ModelTable::async_remove(const LogicalItem& key, const ModelRemoveOptions& options, Callback<void> done) {
  const Result<DeleteAction> action = remove_action(key, options);
  if (!action) return done(std::unexpected(action.error()));
  async_send(*source_->store, *action, without_value(std::move(done)));
}

void ModelTable::async_get(const LogicalItem& key, const ModelGetOptions& options, Callback<LogicalItem> done) {
  const Result<void> configured = check_encryption(model(), options_.keys);
  if (!configured) return done(std::unexpected(configured.error()));
  const Result<Item> encoded = encode_key(model(), key, source_->encoding());
  if (!encoded) return done(std::unexpected(encoded.error()));
  async_get_stored(*encoded, options, [source = source_, done = std::move(done)](Result<Item> stored) mutable {
    if (!stored) return done(std::unexpected(std::move(stored).error()));
    Result<DecodedItem> item = decode_item(source->model, *stored, source->decoding());
    if (!item) return done(std::unexpected(std::move(item).error()));
    done(std::move(item->values));
  });
}

}  // namespace dolmen
