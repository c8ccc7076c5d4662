#pragma once

#include <filesystem>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// Makes a directory, unless it is there and empty. Fails with kForeignDirectory when it is not empty.
Result<void> make_empty(const std::filesystem::path& directory, const FileWriter& files);

/// Copies a database, without the rest of a data directory.
Result<void> copy_database(rocksdb::DB& db, const std::filesystem::path& path);

/// Copies a database to a new data directory, which must be missing or empty. A copy that fails is removed; one that a
/// crash interrupts does not open as a store.
Result<void> make_checkpoint(rocksdb::DB& db, const std::filesystem::path& directory, const FileWriter& files);

}  // namespace dolmen::storage
