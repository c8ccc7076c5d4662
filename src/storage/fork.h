#pragma once

#include <filesystem>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "storage/rocks_forward.h"

/// Writable copies of whole stores. Tables of RocksDB never change, so a copy shares their files with the store where
/// both are on one file system; everything else is copied. The copy's directory must be missing or empty, and not
/// inside of the store. A copy that fails leaves the directory empty; one that a crash interrupts does not open as a
/// store.
namespace dolmen::storage {

/// Copies the store of an open database, whose data directory is `from`, as it is at this moment.
Result<void> fork_database(rocksdb::DB& db, const std::filesystem::path& from, const std::filesystem::path& to,
                           const FileWriter& files);

/// Copies a store that nobody has open, without opening it: no byte of it changes, and it need not be writable. Others
/// may copy it at the same time. Fails with kDirectoryInUse, and with kForeignDirectory when there is no store.
Result<void> fork_directory(const std::filesystem::path& from, const std::filesystem::path& to,
                            const FileWriter& files = FileWriter());

}  // namespace dolmen::storage
