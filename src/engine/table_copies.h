#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include "dolmen/error.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Copies of tables as they were at one moment: backups, and what a restore reads. A copy on disk is a folder below the
/// data directory that shares its files with the store by hard links:
///
///     copies/NAME/FILES      every file with its size and checksum; written last
///     copies/NAME/rocksdb/   the files
///
/// The copies of a store in memory are in memory. A copy belongs to whoever has its name in the catalogue; one that
/// nobody has is removed when the store is opened.
class TableCopies {
 public:
  explicit TableCopies(storage::Storage& storage);

  /// Copies rows of one moment. Takes as long as writing what is in memory to files, linking the files and reading them
  /// once; writers do not wait. The ranges are sorted.
  Result<void> make(const std::string& name, std::span<const storage::KeptRange> kept);

  /// Opens a copy for reading, after a look at every file. It stays open until `close`. Fails with kCorruption, which
  /// names each damaged file.
  Result<std::shared_ptr<const storage::Storage>> open(const std::string& name);
  void close(const std::string& name);

  /// Removes a copy. What cannot be removed now is removed when the store is next opened.
  void remove(const std::string& name);
  void remove_all_except(const std::set<std::string>& names);

 private:
  [[nodiscard]] bool in_memory() const { return folder_.empty(); }

  storage::Storage& storage_;
  const std::filesystem::path folder_;
  std::mutex copies_mutex_;  ///< Guards the next two.
  std::map<std::string, std::shared_ptr<const storage::Storage>> opened_;
  std::map<std::string, std::shared_ptr<const storage::Storage>> made_in_memory_;
};

}  // namespace dolmen::engine
