#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "service/store_check.h"

namespace dolmen {

/// What could be saved of a damaged store.
struct RepairReport {
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t stream_records = 0;
  /// A line for each loss.
  std::vector<std::string> losses = {};
  /// What a check of the new store has found.
  StoreCheckReport check = {};
};

/// Makes a new store in `to`, which must be missing or empty, of everything in `from` that can be read. `from` is only
/// read, and nobody may have it open. Encrypted tables need the keys of the file `table_keys`: without one of them this
/// fails with kAccessDenied. Needs space for two copies. Fails with kDirectoryInUse, kDirectoryUnusable,
/// kForeignDirectory, kFormatVersion, kNoSpace, and with kCorruption when nothing can be read.
Result<RepairReport> repair_directory(const std::string& from, const std::string& to,
                                      const StoreCheck::Progress& progress, const std::string& table_keys = {});

}  // namespace dolmen
