#pragma once

#include <filesystem>
#include <utility>

#include "base/file_writer.h"
#include "dolmen/error.h"

namespace dolmen::storage {

/// The format of the data that this program reads and writes.
inline constexpr int kDirectoryFormat = 1;

/// A data directory, locked for this object alone. It holds a store, or nothing yet:
///
///     DOLMEN       the marker: "dolmen data directory, format 1". It comes last, so it vouches for the rest.
///     DOLMEN.new   the marker of a store that is being created. While it is there, no store was ever open here.
///     rocksdb/     the database.
///     SEAL         vouches for the database's list of files (manifest_seal.h).
class Directory {
 public:
  /// Locks `path` and looks at what it holds. A missing directory is created; nothing else is changed.
  ///
  /// Fails with kDirectoryInUse, kForeignDirectory, kFormatVersion, kDirectoryUnusable or kNoSpace.
  static Result<Directory> open(const std::filesystem::path& path, FileWriter files = FileWriter());

  /// True until a store has been created here to the end.
  [[nodiscard]] bool is_new() const noexcept { return is_new_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return database_in(path_); }

  /// Makes a new directory ready for its database. Whatever an interrupted attempt has left is removed.
  Result<void> begin_creation();
  /// Makes the store in a new directory count, at once and durably.
  Result<void> finish_creation();

  /// Where the database of a data directory is.
  static std::filesystem::path database_in(const std::filesystem::path& path) { return path / "rocksdb"; }
  /// Gives a directory that nobody has locked its marker, so that from now on it can be opened as a store.
  static Result<void> mark(const std::filesystem::path& path, const FileWriter& files);

 private:
  Directory(std::filesystem::path path, FileWriter files, FileDescriptor lock, bool is_new)
      : path_(std::move(path)), files_(std::move(files)), lock_(std::move(lock)), is_new_(is_new) {}

  std::filesystem::path path_;
  FileWriter files_;
  FileDescriptor lock_;
  bool is_new_ = false;
};

}  // namespace dolmen::storage
