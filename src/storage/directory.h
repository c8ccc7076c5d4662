#pragma once

#include <filesystem>
#include <utility>

#include "base/file_writer.h"
#include "dolmen/error.h"

namespace dolmen::storage {

/// The format of a new store.
inline constexpr int kDirectoryFormat = 1;
/// The format of a store in which rows may be sealed (row_seals.h), which is otherwise the same. It is the highest that
/// this program reads and writes.
inline constexpr int kDirectoryFormatSealed = 2;

/// A data directory, locked by this object. It holds a store, or nothing yet:
///
///     DOLMEN       the marker: "dolmen data directory, format 1", or 2. It is written last, so the rest is complete.
///     DOLMEN.new   the marker of a store that is being created. While it exists, no store was ever open here.
///     rocksdb/     the database.
///     SEAL         protects the database's list of files (manifest_seal.h).
///     LOGS         says what the database's logs hold (log_note.h).
class Directory {
 public:
  /// Locks `path` and checks its content. Creates a missing directory; changes nothing else.
  ///
  /// Fails with kDirectoryInUse, kForeignDirectory, kFormatVersion, kDirectoryUnusable or kNoSpace.
  static Result<Directory> open(const std::filesystem::path& path, FileWriter files = FileWriter());

  /// Locks a directory with a store for copying it: against whoever would open it, and not against others who copy. It
  /// may be read-only. Fails as `open` does, and with kForeignDirectory when there is no store.
  static Result<Directory> open_for_copy(const std::filesystem::path& path);

  /// True until the creation of a store has finished here.
  [[nodiscard]] bool is_new() const noexcept { return is_new_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return database_in(path_); }

  /// Prepares a new directory for its database. Removes the remains of an interrupted attempt.
  Result<void> begin_creation();
  /// Completes the store in a new directory, atomically and durably.
  Result<void> finish_creation();

  /// The path of the database in a data directory.
  static std::filesystem::path database_in(const std::filesystem::path& path) { return path / "rocksdb"; }
  /// Writes the marker into an unlocked directory, which can be opened as a store from then on.
  static Result<void> mark(const std::filesystem::path& path, const FileWriter& files, int format = kDirectoryFormat);
  /// The format that the marker of a directory names; that of a new store when there is none.
  static int format_in(const std::filesystem::path& path);

 private:
  Directory(std::filesystem::path path, FileWriter files, FileDescriptor lock, bool is_new)
      : path_(std::move(path)), files_(std::move(files)), lock_(std::move(lock)), is_new_(is_new) {}

  std::filesystem::path path_;
  FileWriter files_;
  FileDescriptor lock_;
  bool is_new_ = false;
};

}  // namespace dolmen::storage
