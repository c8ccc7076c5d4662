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

/// What the catalogue cannot know by itself about a table to come.
struct NewTable {
  std::string uuid;
  TableDescription::TimePoint created;
  TableDefinition definition;
};

/// All tables: in memory for reading, in the storage for keeps. Any thread may read. Changes are prepared as part of a
/// batch and shown to readers (`show`, `hide`) once that batch is durable; the caller keeps changes apart by a lock.
class Catalogue {
 public:
  /// Reads what the storage holds.
  static Result<std::unique_ptr<Catalogue>> load(storage::Storage& storage);

  /// Nothing when there is no such table.
  [[nodiscard]] std::shared_ptr<const Table> find(std::string_view name) const;
  /// Every table, those too that no client can name.
  [[nodiscard]] std::vector<std::shared_ptr<const Table>> all() const;
  /// Without those that no client can name.
  [[nodiscard]] std::size_t size() const;
  /// Up to `limit` names, in order, that come after `after`.
  [[nodiscard]] TableNamePage page(const std::optional<std::string>& after, std::size_t limit) const;

  /// Adds a table to `batch`, it and its indexes under ids of their own.
  std::shared_ptr<const Table> prepare_create(storage::Batch& batch, NewTable table);
  static void prepare_delete(storage::Batch& batch, const Table& table);

  void show(std::shared_ptr<const Table> table);
  void hide(std::string_view name);

 private:
  mutable std::shared_mutex tables_mutex_;
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> tables_;
  TableId next_id_ = 1;  // guarded by the lock that keeps changes apart
};

}  // namespace dolmen::engine
