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

/// A row of counters as it is stored: each as eight bytes, big-endian.
std::string encode_counters(std::span<const std::int64_t> counters);

/// Fails with kCorruption when that is not what `bytes` are.
Result<std::vector<std::int64_t>> decode_counters(std::string_view bytes);

/// Works out what Batch::add leaves in the rows that it names, for the one thread that writes. A row is read when it is
/// first named, and known from then on, so that a counter which every commit changes costs no reading.
class CounterRows {
 public:
  /// `database` must outlive this.
  explicit CounterRows(const Database& database) : database_(database) {}

  /// Adds encoded amounts to a row as the write under way will leave it. A row that does not exist holds zeros.
  Result<void> add(Keyspace keyspace, std::string_view key, std::string_view amounts);
  /// Says that the write under way removes a row.
  void remove(Keyspace keyspace, std::string_view key);

  /// Calls `put(keyspace, key, value)` for each row that was added to, since it was removed if it was.
  template <class Put>
  void for_each_changed(Put put) const {
    for (const Entry* entry : changed_) {
      const std::string_view name = entry->first;
      const Keyspace keyspace{static_cast<std::uint8_t>(name.front())};
      if (!entry->second.counters.empty()) put(keyspace, name.substr(1), encode_counters(entry->second.counters));
    }
  }

  /// The write under way has happened.
  void keep();
  /// It has not, and may be tried again: the rows are what they were.
  void forget();

 private:
  struct Row {
    std::vector<std::int64_t> counters;  ///< Empty when the row is removed.
    bool changed = false;                ///< By the write under way.
  };
  /// By the keyspace's byte and the key.
  using Rows = std::unordered_map<std::string, Row>;
  using Entry = Rows::value_type;

  void mark_changed(Entry& entry);

  const Database& database_;
  Rows rows_;
  std::vector<Entry*> changed_;  ///< Each once.
};

}  // namespace dolmen::storage
