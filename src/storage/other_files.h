#pragma once

#include <cstdint>
#include <filesystem>

#include "base/file_writer.h"
#include "dolmen/error.h"

namespace dolmen::storage {

/// How files come to another folder.
enum class Sharing : std::uint8_t {
  kLinks,          ///< all are shared, where both folders are on one file system
  kLinksOfTables,  ///< those of RocksDB's tables are, which never change; others are copied
  kCopies,
};

/// Copies the files of a folder, those at its top first: a list of files is then never newer than the files. What goes
/// away meanwhile is left out.
Result<void> copy_files(const std::filesystem::path& from, const std::filesystem::path& to, Sharing sharing,
                        const FileWriter& files);

/// Copies what a data directory has beside its database: schemas, copies of tables, records for Kinesis. What belongs
/// to one place, such as its lock, is left out.
Result<void> copy_other_files(const std::filesystem::path& data, const std::filesystem::path& to, Sharing sharing,
                              const FileWriter& files);

}  // namespace dolmen::storage
