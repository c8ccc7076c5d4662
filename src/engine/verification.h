#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table.h"
#include "service/store_check.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Checks that everything which is kept twice agrees: items and their rows in indexes, in vector indexes and by their
/// time to live; counts and what is counted; streams and the numbers of their records. Reads every row of a storage at
/// one moment, and the checksum of every file.
class Verification {
 public:
  Verification(const storage::Storage& storage, const StoreCheck::Progress& progress)
      : storage_(storage), progress_(progress), moment_(storage.snapshot()) {}

  Result<StoreCheckReport> run();

 private:
  /// The rows that must be in an index, and how large they are together.
  struct Expected {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    std::int64_t saved_bytes = 0;
  };
  struct IndexCheck {
    const Index* index = nullptr;
    Expected expected = {};
  };
  struct VectorCheck {
    const VectorIndex* index = nullptr;
    Expected expected = {};
  };
  /// A table while its items are walked.
  struct TableCheck {
    const Table& table;
    Expected items = {};
    std::uint64_t expiring = 0;
    std::vector<IndexCheck> indexes = {};
    std::vector<VectorCheck> vectors = {};
  };

  Result<std::vector<Table>> tables();
  Result<void> check_table(const Table& table);
  Result<void> check_items(TableCheck& check);
  Result<void> check_item(TableCheck& check, std::string_view key, std::string_view bytes);
  Result<void> check_in_index(const Table& table, IndexCheck& check, std::string_view key, std::string_view item);
  Result<void> check_in_vectors(const Table& table, VectorCheck& check, std::string_view key, std::string_view item);
  Result<void> check_expiry_row(TableCheck& check, std::string_view key, std::string_view item);
  Result<void> check_index_size(const Table& table, const IndexCheck& check);
  Result<void> check_vector_size(const Table& table, const VectorCheck& check);
  Result<void> check_counts(TableId id, const std::string& what, const Expected& expected);
  Result<void> check_streams();
  Result<void> check_shard(const std::string& what, std::string_view shard);
  Result<void> check_history(const Table& table);

  /// The number of the rows that begin with an id.
  Result<std::uint64_t> count_rows(storage::Keyspace keyspace, TableId id);
  Result<std::vector<std::int64_t>> counters(std::string_view key) const;
  /// Compares a row with what it must be.
  Result<void> expect_row(storage::Keyspace keyspace, const std::string& key, std::string_view value,
                          const std::string& what);

  Result<void> tick();
  /// Damage becomes a line of the report; other failures end the check.
  Result<void> note_damage(Result<void> result, const std::string& what);

  const storage::Storage& storage_;
  const StoreCheck::Progress& progress_;
  const storage::Snapshot moment_;
  StoreCheckReport report_;
  std::string doing_;
  std::uint64_t rows_ = 0;
  std::string value_;  ///< Kept for its memory.
};

}  // namespace dolmen::engine
