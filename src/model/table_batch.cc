#include "base/fail.h"
#include "dolmen/model_table.h"

namespace dolmen {

Result<ModelGetManyResult> ModelTable::get_many(const std::vector<LogicalItem>& keys, bool consistent_read,
                                                const BatchRetry& retry) {
  DOLMEN_TRY_VOID(check_encryption(model_, options_.keys));
  KeysOfTable wanted{.table = table_, .keys = {}, .consistent_read = consistent_read};
  for (const LogicalItem& key : keys) {
    DOLMEN_TRY(wanted.keys.emplace_back(), encode_key(model_, key));
  }
  if (keys.empty()) return ModelGetManyResult{};
  const GetAllResult got = dolmen::get_all(*store_, {std::move(wanted)}, retry);
  if (got.error) return std::unexpected(*got.error);
  ModelGetManyResult result;
  for (const auto& [table, items] : got.items) {
    for (const Item& item : items) {
      DOLMEN_TRY(DecodedItem decoded, decode_item(model_, item, decoding()));
      result.items.push_back(std::move(decoded.values));
    }
  }
  for (const KeysOfTable& rest : got.not_done) {
    for (const Item& key : rest.keys) {
      DOLMEN_TRY(DecodedItem decoded, decode_item(model_, key, decoding()));
      result.not_done.push_back(std::move(decoded.values));
    }
  }
  return result;
}

Result<WriteAllResult> ModelTable::write_many(const std::vector<LogicalItem>& puts,
                                              const std::vector<LogicalItem>& deletes, const BatchRetry& retry) {
  DOLMEN_TRY_VOID(check_encryption(model_, options_.keys));
  std::vector<BatchAction> actions;
  const PutEncodeOptions options{
      .now = options_.now(), .values = encoding(), .check_required = options_.check_required};
  for (const LogicalItem& item : puts) {
    DOLMEN_TRY(Item stored, encode_put(model_, item, options));
    actions.emplace_back(BatchPut{table_, std::move(stored)});
  }
  for (const LogicalItem& key : deletes) {
    DOLMEN_TRY(Item encoded, encode_key(model_, key));
    actions.emplace_back(BatchDelete{table_, std::move(encoded)});
  }
  return write_all(*store_, std::move(actions), retry);
}

// ---- The table itself ----

TableDefinition ModelTable::definition() const {
  TableDefinition definition = table_definition(model_);
  definition.name = table_;
  return definition;
}

Result<TableDescription> ModelTable::create_table(const WaitOptions& options) {
  DOLMEN_TRY_VOID(store_->create_table(definition()));
  return wait_until_active(*store_, table_, options);
}

Result<TableDescription> ModelTable::ensure_table(const WaitOptions& options) {
  return dolmen::ensure_table(*store_, definition(), options);
}

Result<TableDescription> ModelTable::describe_table() { return store_->describe_table(table_); }

Result<void> ModelTable::delete_table(const WaitOptions& options) {
  DOLMEN_TRY_VOID(store_->delete_table(table_));
  return wait_until_deleted(*store_, table_, options);
}

Result<std::vector<std::string>> ModelTable::table_differences() {
  DOLMEN_TRY(const TableDescription table, store_->describe_table(table_));
  return differences(definition(), table.definition);
}

}  // namespace dolmen
