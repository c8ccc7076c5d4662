#include "base/fail.h"
#include "dolmen/model/model_table.h"
#include "dolmen/model/shared_tables.h"
#include "model/attribute_codec.h"
#include "model/write_policy.h"

namespace dolmen {

Result<ModelGetManyResult> ModelTable::get_many(const std::vector<LogicalItem>& keys, bool consistent_read,
                                                const BatchRetry& retry) {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  KeysOfTable wanted{.table = table(), .keys = {}, .consistent_read = consistent_read};
  for (const LogicalItem& key : keys) {
    DOLMEN_TRY(wanted.keys.emplace_back(), encode_key(model(), key, source_->encoding()));
  }
  if (keys.empty()) return ModelGetManyResult{};
  const GetAllResult got = dolmen::get_all(*source_->store, {std::move(wanted)}, retry);
  if (got.error) return std::unexpected(*got.error);
  ModelGetManyResult result;
  for (const auto& [table, items] : got.items) {
    for (const Item& item : items) {
      DOLMEN_TRY(DecodedItem decoded, decode_item(model(), item, source_->decoding()));
      result.items.push_back(std::move(decoded.values));
    }
  }
  for (const KeysOfTable& rest : got.not_done) {
    for (const Item& key : rest.keys) {
      DOLMEN_TRY(DecodedItem decoded, decode_item(model(), key, source_->decoding()));
      result.not_done.push_back(std::move(decoded.values));
    }
  }
  return result;
}

Result<WriteAllResult> ModelTable::write_many(const std::vector<LogicalItem>& puts,
                                              const std::vector<LogicalItem>& deletes, const BatchRetry& retry) {
  DOLMEN_TRY_VOID(check_encryption(model(), options_.keys));
  if (!puts.empty()) DOLMEN_TRY_VOID(check_replaceable(model()));
  if (!deletes.empty()) DOLMEN_TRY_VOID(check_mutable(model(), "a delete"));
  std::vector<BatchAction> actions;
  const PutEncodeOptions options = put_options();
  for (const LogicalItem& item : puts) {
    DOLMEN_TRY(Item stored, encode_put(model(), item, options));
    actions.emplace_back(BatchPut{table(), std::move(stored)});
  }
  for (const LogicalItem& key : deletes) {
    DOLMEN_TRY(Item encoded, encode_key(model(), key, source_->encoding()));
    actions.emplace_back(BatchDelete{table(), std::move(encoded)});
  }
  return write_all(*source_->store, std::move(actions), retry);
}

// ---- The table itself ----

TableDefinition ModelTable::definition() const {
  TableDefinition definition = table_definition(model());
  definition.name = table();
  return definition;
}

Result<TableDescription> ModelTable::create_table(const WaitOptions& options) {
  DOLMEN_TRY_VOID(source_->store->create_table(definition()));
  return wait_until_active(*source_->store, table(), options);
}

Result<TableDescription> ModelTable::ensure_table(const WaitOptions& options) {
  // Other models may share the table: what it has more is theirs.
  Model own = model();
  own.table = table();
  DOLMEN_TRY(std::vector<TableDescription> tables, ensure_tables(*source_->store, {std::move(own)}, options));
  return std::move(tables.front());
}

Result<TableDescription> ModelTable::describe_table() { return source_->store->describe_table(table()); }

Result<void> ModelTable::delete_table(const WaitOptions& options) {
  DOLMEN_TRY_VOID(source_->store->delete_table(table()));
  return wait_until_deleted(*source_->store, table(), options);
}

Result<std::vector<std::string>> ModelTable::table_differences() {
  DOLMEN_TRY(const TableDefinition actual, described_definition(*source_->store, table()));
  return missing_parts(definition(), actual);
}

}  // namespace dolmen
