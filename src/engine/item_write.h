#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "expr/syntax.h"
#include "service/requests.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// A write of one item, made ready step by step: its expressions are read, then its table and key are found, and under
/// the key's lock it is decided and staged. Each step fails with what DynamoDB would say at that point.
class ItemWrite {
 public:
  /// Reads the expressions and checks the size; looks at no table.
  static Result<ItemWrite> prepare(WriteRequest request);

  /// Checks the key, and what of the expressions depends on the table.
  Result<void> attach(std::shared_ptr<const Table> table);
  /// The same for a batch, which words a wrong key differently. The table must be set.
  Result<void> attach_in_batch();
  void set_table(std::shared_ptr<const Table> table) { table_ = std::move(table); }

  /// The outcome of deciding: what was there, what will be, and what to tell the caller.
  struct Decision {
    std::optional<EncodedItem> old;
    std::optional<EncodedItem> item;
    /// Their sizes as DynamoDB counts them; zero where there is none.
    std::size_t old_bytes = 0;
    std::size_t item_bytes = 0;
    WriteResponse response;
  };

  /// Reads the old item, checks the condition and works out the new item. kConditionFailed
  /// carries the old item when that was asked for.
  Result<Decision> decide(const storage::Storage& storage) const;

  /// Adds the item's row, its rows in indexes and what they change in the sizes of those (extents.h) to the batch.
  void stage(const Decision& decision, storage::Batch& batch) const;

  [[nodiscard]] const WriteRequest& request() const { return *request_; }
  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] const std::shared_ptr<const Table>& shared_table() const { return table_; }
  [[nodiscard]] const std::string& row_key() const { return row_key_; }

  /// What the write costs.
  [[nodiscard]] ConsumedCapacity capacity(const Decision& decision) const;

 private:
  explicit ItemWrite(WriteRequest request) : request_(std::make_unique<WriteRequest>(std::move(request))) {}

  Result<void> check_paths() const;
  Result<void> pass_gate(const Decision& decision, const std::optional<Item>& updated) const;
  /// The item after the update, whose old item may be taken apart; nothing when none comes into being.
  Result<std::optional<Item>> update(Item old, Decision& decision) const;
  [[nodiscard]] std::optional<ItemCollectionMetrics> collection_metrics() const;

  std::unique_ptr<const WriteRequest> request_;  // the bound expressions point into it
  std::optional<expr::Node> condition_;
  std::vector<expr::UpdateAction> update_;
  std::shared_ptr<const Table> table_;
  std::string row_key_;
  std::size_t put_bytes_ = 0;  // the size of an item that is put
};

}  // namespace dolmen::engine
