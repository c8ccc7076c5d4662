#pragma once

#include <cstdint>
#include <functional>

namespace dolmen {

/// How far the growing of a table has come.
struct EntityGrowth {
  /// Items that were looked at, and those among them that are no entities of the config.
  std::uint64_t scanned = 0;
  std::uint64_t foreign = 0;
  /// Entities whose generated properties were written, and those that moved to another shard.
  std::uint64_t changed = 0;
  std::uint64_t moved = 0;
  /// Entities that stay as they are, because no keys can be made of them, or because there is another copy where they
  /// belong. EntityOptions::logger is told which.
  std::uint64_t refused = 0;
  /// About how many items there are, as the table's description says.
  std::uint64_t items = 0;
  /// Global and vector indexes that were added.
  std::uint64_t indexes = 0;

  friend bool operator==(const EntityGrowth&, const EntityGrowth&) = default;
};

struct GrowOptions {
  /// Called after every page, and after every index that was added.
  std::function<void(const EntityGrowth&)> progress = {};
  /// Looks at all items even when the config has not changed: for tables into which programs with an older config have
  /// written since.
  bool all = false;
  /// Items that are read at a time; the position is kept after each page.
  std::uint32_t page_size = 500;
};

}  // namespace dolmen
