#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "dolmen/error.h"
#include "engine/table.h"
#include "storage/storage.h"
#include "value/encoded_item.h"

namespace dolmen::engine {

/// Which items of a table changed in a period, found in its history (history.h), and what they were before, at the end
/// and afterwards. Reads a copy of the table.
///
/// Only the keys and moments of the changes are in memory. When even these are too many, the last keys are left out,
/// and `upper` says where the rest begins: whoever needs it reads the history once more from there. So memory is
/// limited however much has changed.
class PastChanges {
 public:
  struct Period {
    TableId history = 0;
    /// The first moment of the period, and the first after it.
    TableTime from;
    TableTime to = TableTime(std::chrono::milliseconds(std::numeric_limits<std::int64_t>::max() >> 17));
  };

  /// The keys of rows in the history of one item.
  struct Change {
    std::string first;
    std::string last;
    /// The first change after the period; empty when there is none.
    std::string after = {};
  };

  static constexpr std::size_t kBytesMax = std::size_t{64} << 20;

  /// Looks at the items from `lower` on, which is a row key without the table id.
  static Result<PastChanges> read(const storage::Storage& copy, const Period& period, const std::string& lower,
                                  std::size_t bytes_max = kBytesMax);

  /// By their row keys without the table id.
  [[nodiscard]] const std::map<std::string, Change, std::less<>>& all() const { return changes_; }
  /// Where the rest begins; nothing when there is none.
  [[nodiscard]] const std::optional<std::string>& upper() const { return upper_; }

  /// What a change replaced; nothing when there was no item.
  static Result<std::optional<EncodedItem>> replaced(const storage::Storage& copy, const std::string& history_key);

 private:
  std::map<std::string, Change, std::less<>> changes_;
  std::optional<std::string> upper_;
};

}  // namespace dolmen::engine
