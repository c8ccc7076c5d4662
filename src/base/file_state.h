#pragma once

#include <cstdint>
#include <filesystem>

namespace dolmen {

/// What changes when a file is written or replaced.
struct FileState {
  std::int64_t changed_ns = 0;
  std::uint64_t inode = 0;
  std::int64_t bytes = -1;

  /// That of a file now; that of no file when there is none.
  static FileState of(const std::filesystem::path& file);

  friend bool operator==(const FileState&, const FileState&) = default;
};

}  // namespace dolmen
