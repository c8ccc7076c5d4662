#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// What became of a damaged store.
struct SalvageReport {
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t stream_records = 0;
  /// A line for each loss.
  std::vector<std::string> losses = {};
};

/// Writes the tables, items, streams and histories of `damaged` that can be read to `fresh`, to which nothing has been
/// committed yet, and makes what follows from them again: rows of indexes, times to live, vectors and counts. Both must
/// have the same seals, with the keys of all encrypted tables; it fails with kAccessDenied when one is missing.
Result<SalvageReport> salvage(const storage::Storage& damaged, storage::Storage& fresh);

}  // namespace dolmen::engine
