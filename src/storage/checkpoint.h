#pragma once

#include <filesystem>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// Copies a database to a new data directory, which must be missing or empty. A copy that fails is removed; one that a
/// crash interrupts does not open as a store.
Result<void> make_checkpoint(rocksdb::DB& db, const std::filesystem::path& directory, const FileWriter& files);

}  // namespace dolmen::storage
