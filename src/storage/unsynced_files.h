#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace dolmen::storage {

/// Tracks what a power cut would lose: appended bytes until their file is synced, and created or renamed files until
/// their directory is synced. Files that it was never told about count as synced. A removed file stays removed,
/// although it might reappear on a real disk.
class UnsyncedFiles {
 public:
  /// Given the number of unsynced bytes at the end of a file, returns how many of them are on the disk anyway.
  using Surviving = std::function<std::uint64_t(std::uint64_t unsynced_bytes)>;

  void created(const std::string& path);
  void appended(const std::string& path, std::uint64_t bytes);
  /// Must be called before bytes inside of a file are written over, so that what is synced can be kept.
  void overwriting(const std::string& path);
  void truncated(const std::string& path, std::uint64_t length);
  void synced(const std::string& path);
  void directory_synced(const std::string& path);
  void linked(const std::string& from, const std::string& to);
  void removed(const std::string& path);
  /// Must be called before the renaming, so that the replaced file can be kept.
  void renaming(const std::string& from, const std::string& to);

  /// Drops everything that is not synced, and starts again.
  void drop(const Surviving& surviving);

 private:
  void drop_overwriting(const Surviving& surviving);

  struct File {
    std::uint64_t length = 0;
    std::uint64_t synced_length = 0;
    bool entry_synced = false;
    std::optional<std::string> replaced;  ///< The earlier content of the path, if its directory was synced then.
  };

  std::map<std::string, File> files_;
  std::map<std::string, std::string> overwritten_;  ///< The synced content of files that were written over.
};

}  // namespace dolmen::storage
