#pragma once

#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// The facts about a new table that the catalogue does not make itself.
struct NewTable {
  std::string uuid;
  TableDescription::TimePoint created;
  TableDefinition definition;
  /// Only of a table that is to be encrypted.
  std::optional<TableSeal> seal = std::nullopt;
  /// Only of a table that is to be restored.
  std::optional<RestoreSummary> restore = std::nullopt;
};

/// All tables: in memory for reading, and permanently in the storage. Any thread may read. Changes are prepared as part
/// of a batch and shown to readers (`show`, `hide`) once that batch is durable; the caller serialises changes by a
/// lock.
class Catalogue {
 public:
  /// Reads the tables of a storage.
  static Result<std::unique_ptr<Catalogue>> load(storage::Storage& storage);

  /// The table of a name in a storage, such as a copy; nothing when there is none.
  static Result<std::optional<Table>> stored(const storage::Storage& storage, std::string_view name);

  /// Null when the table does not exist.
  [[nodiscard]] std::shared_ptr<const Table> find(std::string_view name) const;
  /// Every table, including internal ones.
  [[nodiscard]] std::vector<std::shared_ptr<const Table>> all() const;
  /// The number of tables without internal ones.
  [[nodiscard]] std::size_t size() const;
  /// Whether the key is missing without which the rows of a table cannot be read or written. Such a table can be
  /// described and deleted; everything else must wait until the key is back.
  [[nodiscard]] bool lacks_key(const Table& table) const;
  /// Up to `limit` names after `after`, in order.
  [[nodiscard]] TableNamePage page(const std::optional<std::string>& after, std::size_t limit) const;

  /// Adds a table to `batch`, with new ids for it and its indexes.
  Result<std::shared_ptr<const Table>> prepare_create(const storage::Storage& storage, storage::Batch& batch,
                                                      NewTable table);
  /// Replaces a table of the same name in `batch`.
  static void prepare_change(storage::Batch& batch, const Table& table);
  static Result<void> prepare_delete(const storage::Storage& storage, storage::Batch& batch, const Table& table,
                                     TableTime now);
  /// Takes `count` ids that no table, index or stream ever had, and returns the first of them.
  TableId take_ids(storage::Batch& batch, std::size_t count);

  /// From then on rows of the table are written as it says (apply_seal).
  void show(std::shared_ptr<const Table> table);
  void hide(std::string_view name);

 private:
  std::shared_ptr<storage::RowSeals> seals_;
  mutable std::shared_mutex tables_mutex_;
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> tables_;
  TableId next_id_ = 1;  // guarded by the lock of all tables
};

}  // namespace dolmen::engine
