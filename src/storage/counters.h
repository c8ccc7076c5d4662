#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dolmen/error.h"
#include "storage/database.h"
#include "storage/keyspace.h"

namespace dolmen::storage {

/// A row of counters as it is stored: eight big-endian bytes for each.
std::string encode_counters(std::span<const std::int64_t> counters);

/// Fails with kCorruption when `bytes` are not such a row.
Result<std::vector<std::int64_t>> decode_counters(std::string_view bytes);

/// Computes the rows that Batch::add and Batch::append change. Used by the writing thread only. A row is read once,
/// when it is first changed, and kept in memory from then on, so that a counter that every commit changes costs no
/// further reads.
class CounterRows {
 public:
  /// `database` must outlive this object.
  explicit CounterRows(const Database& database) : database_(database) {}

  /// Adds encoded amounts to a row in the current write. A row that does not exist holds zeros.
  Result<void> add(Keyspace keyspace, std::string_view key, std::string_view amounts);
  /// Adds one to the only counter of a row in the current write and returns it: the number that Batch::append gives.
  Result<std::uint64_t> next(Keyspace keyspace, std::string_view key);
  /// Removes a row in the current write.
  void remove(Keyspace keyspace, std::string_view key);

  /// Calls `put(keyspace, key, value)` for each row that was added to and not removed afterwards.
  template <class Put>
  void for_each_changed(Put put) const {
    for (const Entry* entry : changed_) {
      const std::string_view name = entry->first;
      const Keyspace keyspace{static_cast<std::uint8_t>(name.front())};
      if (!entry->second.counters.empty()) put(keyspace, name.substr(1), encode_counters(entry->second.counters));
    }
  }

  /// The current write has succeeded.
  void keep();
  /// The current write has not happened, and may be tried again: the rows keep their earlier values.
  void forget();

 private:
  struct Row {
    std::vector<std::int64_t> counters;  ///< Empty when the row is removed.
    bool changed = false;                ///< By the current write.
  };
  /// The name is the keyspace's byte followed by the key.
  using Rows = std::unordered_map<std::string, Row>;
  using Entry = Rows::value_type;

  /// A row that the current write changes, which is read when it is not in memory.
  Result<std::vector<std::int64_t>*> row_to_change(Keyspace keyspace, std::string_view key);
  void mark_changed(Entry& entry);

  const Database& database_;
  Rows rows_;
  std::vector<Entry*> changed_;  ///< Each once.
};

}  // namespace dolmen::storage
