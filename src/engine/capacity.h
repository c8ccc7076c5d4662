#pragma once

#include <algorithm>
#include <cstddef>

/// Capacity units by DynamoDB's rules, from item sizes in bytes.
namespace dolmen::engine::capacity {

/// One unit for every started 4 KB, half of that where the read may be stale. Reading nothing costs as much as 4 KB.
inline double read_units(std::size_t item_bytes, bool consistent) {
  const std::size_t units = std::max<std::size_t>((item_bytes + 4095) / 4096, 1);
  return static_cast<double>(units) * (consistent ? 1.0 : 0.5);
}

/// One unit for every started 1 KB of the old or the new item, whichever is larger.
inline double write_units(std::size_t old_bytes, std::size_t new_bytes) {
  return static_cast<double>(std::max<std::size_t>((std::max(old_bytes, new_bytes) + 1023) / 1024, 1));
}

}  // namespace dolmen::engine::capacity
