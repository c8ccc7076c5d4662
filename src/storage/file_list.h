#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/error.h"

/// Lists of files that never change again, each with its size and checksum. A list ends with its own checksum.
namespace dolmen::storage {

/// The list of a folder that is complete, in that folder.
inline constexpr std::string_view kFileList = "FILES";

struct ListedFile {
  /// Its path from the folder.
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;

  friend bool operator==(const ListedFile&, const ListedFile&) = default;
};

/// Reads a whole file. Nothing when it cannot be read.
std::optional<ListedFile> list_file(const std::filesystem::path& folder, const std::string& name);

/// The files below a folder, sorted by their names, without its list, locks and logs of RocksDB.
Result<std::vector<std::string>> names_below(const std::filesystem::path& folder);

std::string file_list_text(const std::vector<ListedFile>& files);
/// Nothing when the list is damaged.
std::optional<std::vector<ListedFile>> read_file_list(std::string_view text);

/// A line for each file that is missing or differs: "rocksdb/000012.sst is missing". Reads all of them.
std::vector<std::string> damaged_files(const std::filesystem::path& folder, const std::vector<ListedFile>& files);

// ---- The list of a folder ----

/// Writes the list. Reads every file once.
Result<void> write_file_list(const std::filesystem::path& folder, const FileWriter& files);

/// A line for each file that is missing or differs from the folder's list. Nothing when all are as they were. A folder
/// without a list is not complete, which is one line. Files that are not in the list are ignored.
Result<std::vector<std::string>> damaged_files(const std::filesystem::path& folder);

}  // namespace dolmen::storage
