#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

/// Owns an open file descriptor, or none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor();

  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// The error for a system call that failed on `path` with `error_number`: kNoSpace when the disk is full, otherwise
/// kDirectoryUnusable, with the operating system's reason. `doing` completes "cannot ...".
Error file_error(int error_number, std::string_view doing, const std::filesystem::path& path);

/// Writes all of Dolmen's own files, so that they survive a power cut. Every function fails as `file_error` says.
/// Thread-safe for different paths.
class FileWriter {
 public:
  /// Called before every step that changes the disk or makes a change durable, with the step's name and the path. The
  /// steps are "make_folder", "write", "sync", "sync_folder", "link", "rename" and "remove". An error makes the step
  /// fail; a test may also end the process.
  using BeforeStep = std::function<Result<void>(std::string_view step, const std::filesystem::path& path)>;

  /// Who may read a file: everyone whom the umask permits, or the owner alone.
  enum class Readers : std::uint8_t { kAsUsual, kOwnerAlone };

  explicit FileWriter(BeforeStep before_step = {}) : before_step_(std::move(before_step)) {}

  // ---- Whole files ----
  // The content is written to a temporary file in the same folder and synced, the file gets its name, and the folder is
  // synced. On failure the temporary file is removed, and the path is unchanged or, if only the last sync failed, has
  // its new content.

  /// The temporary file has the same name with ".tmp" appended. One that a crash left behind is overwritten.
  Result<void> replace(const std::filesystem::path& path, std::string_view content,
                       Readers readers = Readers::kAsUsual) const;
  /// False when `path` exists already; it is never replaced.
  Result<bool> create(const std::filesystem::path& path, std::string_view content,
                      Readers readers = Readers::kAsUsual) const;

  // ---- Single steps ----

  /// Makes the folder and all missing folders above it.
  Result<void> make_folders(const std::filesystem::path& folder) const;
  /// Makes every folder of the relative path `below` in `root`, which must exist. Folders that exist already are made
  /// durable as well.
  Result<void> make_folders(const std::filesystem::path& root, const std::filesystem::path& below) const;
  /// Writes a file, replacing its content, and syncs it; its directory entry is durable only once its folder is synced.
  /// After a failure the part that was written remains.
  Result<void> write(const std::filesystem::path& path, std::string_view content,
                     Readers readers = Readers::kAsUsual) const;
  /// Makes the content of a file durable that other code has written.
  Result<void> sync(const std::filesystem::path& path) const;
  /// Makes the entries of a folder durable: files created, renamed and removed in it.
  Result<void> sync_folder(const std::filesystem::path& folder) const;
  /// Gives a file a second name. False when that name is taken; never replaces anything.
  Result<bool> link(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// Replaces `to` atomically and syncs its folder.
  Result<void> rename(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// Removes a file, which need not exist.
  Result<void> remove(const std::filesystem::path& path) const;

  // ---- Reading ----

  /// The names in a folder, sorted; none when the folder does not exist.
  static Result<std::vector<std::string>> list(const std::filesystem::path& folder);
  /// The bytes of a regular file. Fails when it is longer than `bytes_max`. Does not follow a symbolic link.
  static Result<std::string> read(const std::filesystem::path& path, std::size_t bytes_max);
  /// The first `bytes_max` bytes of a file.
  static Result<std::string> read_start(const std::filesystem::path& path, std::size_t bytes_max);

 private:
  [[nodiscard]] Result<void> step(std::string_view name, const std::filesystem::path& path) const;
  /// Writes `path`, which will become `target`. Errors name the target, which is the file that the caller knows.
  Result<void> write_for(const std::filesystem::path& target, const std::filesystem::path& path,
                         std::string_view content, Readers readers) const;
  Result<bool> publish_new(const std::filesystem::path& temporary, const std::filesystem::path& path) const;

  BeforeStep before_step_;
};

}  // namespace dolmen
