#pragma once

#include <cstdint>
#include <string>

#include "dolmen/error.h"

namespace dolmen {

/// A backup of the whole store that was made just now.
struct StoreBackupMade {
  std::uint64_t id = 0;
  std::uint64_t files = 0;
  /// Of all of its files, and of those that were not in the folder before.
  std::uint64_t bytes = 0;
  std::uint64_t new_bytes = 0;
};

/// Backs up the store of this process. A companion of an embedded Store.
class StoreBackups {
 public:
  virtual ~StoreBackups() = default;
  /// Adds a backup to a folder. Readers and writers go on meanwhile; one backup is made at a time. Fails with
  /// kUnsupported in memory, kForeignDirectory, kDirectoryUnusable, kNoSpace, kIo.
  virtual Result<StoreBackupMade> back_up(const std::string& folder) = 0;
};

}  // namespace dolmen
