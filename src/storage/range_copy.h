#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// Rows of one keyspace, by its name; without an upper bound, all from `lower` on.
struct NamedRange {
  std::string keyspace;
  std::string lower;
  std::string upper;
};

/// Copies a database to a new data directory, which must be missing or empty, and removes the files from the copy that
/// hold nothing of `kept`. Files are shared by hard links where that is possible. The directory is complete once it has
/// its list of files (file_list.h); a copy that fails is removed.
Result<void> make_range_copy(rocksdb::DB& db, const std::filesystem::path& directory, std::span<const NamedRange> kept,
                             const FileWriter& files);

}  // namespace dolmen::storage
