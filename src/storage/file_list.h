#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/error.h"

/// The files of a folder that is complete and never changes again, each with its size and checksum, in a file FILES of
/// that folder. The list itself ends with its own checksum.
namespace dolmen::storage {

inline constexpr std::string_view kFileList = "FILES";

/// Writes the list. Reads every file once.
Result<void> write_file_list(const std::filesystem::path& folder, const FileWriter& files);

/// A line for each file that is missing or differs from the list, in the order of their names: "rocksdb/000012.sst is
/// missing". Nothing when all are as they were. A folder without a list is not complete, which is one line. Files that
/// are not in the list are ignored.
Result<std::vector<std::string>> damaged_files(const std::filesystem::path& folder);

}  // namespace dolmen::storage
