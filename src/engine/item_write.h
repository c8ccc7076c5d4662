#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "engine/row_key.h"
#include "engine/table.h"
#include "expr/syntax.h"
#include "service/requests.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// A write of one item in steps: its expressions are read, its table and key are found, and under the key's lock it is
/// decided and staged. Each step fails with the error that DynamoDB gives at that point.
class ItemWrite {
 public:
  /// Reads the expressions and checks the size, without the table.
  static Result<ItemWrite> prepare(WriteRequest request);

  /// The removal of an item whose time to live has ended. It removes nothing when the item expires at `now` or later,
  /// or is gone.
  static ItemWrite expire(std::shared_ptr<const Table> table, std::string row_key, TableTime now);

  /// Makes an item of a table that is being restored what it was, or removes it. A gate, or a rule that came after the
  /// item, does not matter.
  static ItemWrite restore(std::shared_ptr<const Table> table, std::string row_key, std::optional<EncodedItem> item);

  /// Checks the key, and the parts of the expressions that depend on the table.
  Result<void> attach(std::shared_ptr<const Table> table);
  /// The same for a batch, which words a wrong key differently. The table must be set.
  Result<void> attach_in_batch();
  void set_table(std::shared_ptr<const Table> table) { table_ = std::move(table); }

  /// The result of `decide`: the old item, the new item (see `new_item`), and what the caller gets.
  struct Decision {
    enum class NewItem : std::uint8_t { kNone, kOfRequest, kOld, kUpdated };

    /// Nothing also when only its size had to be known.
    std::optional<EncodedItem> old;
    bool existed = false;
    NewItem item = NewItem::kNone;
    std::optional<EncodedItem> updated;
    /// Their sizes as DynamoDB counts them; zero where there is none.
    std::size_t old_bytes = 0;
    std::size_t item_bytes = 0;
    WriteResponse response;
  };

  /// Reads the old item, checks the condition and computes the new item. kConditionFailed carries the old item when the
  /// request asks for it.
  Result<Decision> decide(const storage::Storage& storage) const;
  /// The same; adds to `work` what the condition cost (expr::holds).
  Result<Decision> decide(const storage::Storage& storage, std::uint64_t& work) const;

  /// Adds everything that follows from the change of the item to the batch: the item's row, its rows in indexes, the
  /// changes of their sizes (extents.h), the row by which it expires (expiry.h), the record of the table's stream
  /// (stream_log.h) and what its history keeps (history.h). There is no other way to change an item.
  Result<void> stage(const Decision& decision, const storage::Storage& storage, storage::Batch& batch,
                     TableTime now) const;

  /// About how many bytes `stage` adds to a batch for the item of a put, so that many writes can make room at once.
  [[nodiscard]] std::size_t staged_bytes() const;

  /// Null when there is none. It belongs to the write or to the decision.
  [[nodiscard]] const EncodedItem* new_item(const Decision& decision) const;

  [[nodiscard]] const WriteRequest& request() const { return *request_; }
  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] const std::shared_ptr<const Table>& shared_table() const { return table_; }
  [[nodiscard]] const std::string& row_key() const { return row_key_; }

  /// The number of parts of its condition (expr::part_count).
  [[nodiscard]] std::size_t condition_size() const;

  /// The capacity that the write consumes.
  [[nodiscard]] ConsumedCapacity capacity(const Decision& decision) const;

 private:
  explicit ItemWrite(WriteRequest request) : request_(std::make_unique<WriteRequest>(std::move(request))) {}

  Result<void> attach(KeyWords words);
  Result<void> check_paths();
  /// What the condition and the update look at in the old item, or the whole item when a tree of it is needed.
  Result<Item> tree_of(const EncodedItem& old) const;
  [[nodiscard]] bool needs_whole_tree() const;
  /// Whether more than the size of the old item has to be known.
  [[nodiscard]] bool needs_old_item() const;
  Result<void> find_old_item(const storage::Storage& storage, Decision& decision) const;
  Result<void> pass_gate(const Decision& decision, const std::optional<Item>& updated) const;
  Result<void> ask_gate(const Decision& decision, const std::optional<Item>& updated) const;
  /// Lets the next write of the row know the size of the item that this one leaves.
  void remember_size(const storage::Storage& storage, storage::Batch& batch, const Decision& decision) const;
  /// The stored item expired before the time for which it is looked at.
  [[nodiscard]] bool has_expired(const Decision& decision) const;
  /// The item after the update, made from `old`; nothing when the update does not create an item.
  Result<std::optional<Item>> update(Item old, Decision& decision) const;
  [[nodiscard]] std::optional<ItemCollectionMetrics> collection_metrics() const;

  std::unique_ptr<const WriteRequest> request_;  // the bound expressions point into it
  std::optional<expr::Node> condition_;
  std::vector<expr::UpdateAction> update_;
  std::vector<std::string> used_attributes_;  // by both of them, sorted
  std::shared_ptr<const Table> table_;
  std::string row_key_;
  std::size_t put_bytes_ = 0;  // the size of an item that is put
  std::optional<TableTime> expires_before_;
};

/// Of all of them together.
std::size_t staged_bytes(std::span<const ItemWrite> writes);

/// Whether their conditions may take longer than a network thread has time for.
bool take_long(std::span<const ItemWrite> writes);

}  // namespace dolmen::engine
