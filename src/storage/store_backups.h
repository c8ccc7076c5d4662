#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "storage/storage.h"

namespace dolmen::storage {

/// A backup of a whole store.
struct StoreBackup {
  std::uint32_t id = 0;
  /// In seconds since 1970, by the clock of the machine that made it.
  std::int64_t created_s = 0;
  /// Of all of its files, those that it shares with others included.
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
  /// Its list of files is there, and so are they. One that a crash interrupted is not, and cannot be restored.
  bool complete = false;
  /// Only when it was made just now: the bytes that were not in the folder before.
  std::uint64_t new_bytes = 0;
};

/// A folder of backups of one store, on RocksDB's backup engine. Files that several backups need are there once.
///
///     DOLMEN-BACKUPS   the marker: "dolmen backups, format 1"
///     rocksdb/         the database: meta/, private/, shared_checksum/
///     files/ID/        the other files of the data directory: schemas, copies of tables
///     lists/ID         every file of the backup with its size and checksum (file_list.h); written last
///
/// For one thread and one process at a time.
class BackupFolder {
 public:
  /// Opens a folder that holds backups, or is missing or empty. Only `create` makes anything. Fails with
  /// kForeignDirectory, kFormatVersion, kDirectoryUnusable, kIo.
  static Result<BackupFolder> open(std::filesystem::path folder, FileWriter files = FileWriter());

  /// Adds a backup of a store on disk, with the other files of its data directory. Readers and writers go on; the store
  /// first writes what it has in memory to files. Fails with kUnsupported for a store in memory, and as
  /// Storage::checkpoint does.
  Result<StoreBackup> create(Storage& storage) const;

  /// From the oldest to the newest.
  Result<std::vector<StoreBackup>> list() const;
  /// The newest one that was made to its end, whole or not. Fails with kBackupNotFound.
  Result<std::uint32_t> newest() const;

  /// The names of the files of a backup; none when its list is missing or damaged.
  std::vector<std::string> files_of(std::uint32_t id) const;
  /// Whether the content of a file must be known to list, add and remove backups; all other files need only be there.
  static bool describes_backups(std::string_view name);
  /// Sorts the names of new files so that what makes a backup complete comes last.
  static void sort_for_copying(std::vector<std::string>& names);

  /// A line for each file that is damaged or missing. Fails with kBackupNotFound.
  Result<std::vector<std::string>> verify(std::uint32_t id) const;

  /// Makes a data directory of a backup, in a directory that is missing or empty. Every file is looked at before
  /// anything is written. Fails with kBackupNotFound, kCorruption (which names each damaged file), kForeignDirectory.
  Result<void> restore(std::uint32_t id, const std::filesystem::path& directory) const;

  /// Removes all but the newest `keep` backups, and those that are not complete. Returns how many went.
  Result<std::size_t> prune(std::size_t keep) const;

 private:
  explicit BackupFolder(std::filesystem::path folder, FileWriter files)
      : folder_(std::move(folder)), files_(std::move(files)) {}

  [[nodiscard]] std::filesystem::path list_of(std::uint32_t id) const;
  Result<void> mark() const;
  Result<StoreBackup> add(const std::filesystem::path& snapshot, const std::filesystem::path& data_directory) const;
  Result<std::uint64_t> write_list(std::uint32_t id, const std::vector<std::string>& names) const;

  std::filesystem::path folder_;
  FileWriter files_;
};

}  // namespace dolmen::storage
