#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/key_sketch.h"
#include "engine/table.h"
#include "service/table_insights.h"

namespace dolmen::engine {

/// Counts how often keys of a table or of an index are used, for Contributor Insights. Thread-safe.
class KeyCounts {
 public:
  /// How many keys are counted at a time, and how many are told.
  static constexpr std::size_t kCountedKeys = 512;
  static constexpr std::size_t kTopKeys = 100;

  explicit KeyCounts(const KeySchema& keys);

  /// Counts a use of an item, or of its row in an index. Items that do not have the key are passed over. A request for
  /// several items that begins again elsewhere counts some of them twice.
  void count(std::string_view item);

  [[nodiscard]] TopKeys top() const;

 private:
  const std::vector<std::string> partition_names_;  ///< Sorted.
  const std::vector<std::string> whole_names_;      ///< Empty when there is no sort key.
  mutable std::mutex counts_mutex_;                 ///< Guards the next two.
  KeySketch partitions_;
  KeySketch wholes_;
};

/// Counts the use of an item by a write: in its table, and in the indexes that have the item before or after it.
/// Null where there is no item.
void count_write(const Table& table, const EncodedItem* before, const EncodedItem* after);

}  // namespace dolmen::engine
