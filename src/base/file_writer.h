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

/// The error for the system call that has just failed on `path` with `error_number`: kNoSpace when the disk is full and
/// else kDirectoryUnusable, with the operating system's reason. `doing` completes "cannot ...".
Error file_error(int error_number, std::string_view doing, const std::filesystem::path& path);

/// The one way in which Dolmen writes files of its own: they survive a power cut. Everything fails as `file_error`
/// says. Thread-safe, as far as different paths are concerned.
class FileWriter {
 public:
  /// Called before every step that changes the disk or makes a change last, with its name and the path: "make_folder",
  /// "write", "sync", "sync_folder", "link", "rename", "remove". An error makes the step fail; a test may also end the
  /// process.
  using BeforeStep = std::function<Result<void>(std::string_view step, const std::filesystem::path& path)>;

  /// Who may read a file.
  enum class Readers : std::uint8_t { kAsUsual, kOwnerAlone };

  explicit FileWriter(BeforeStep before_step = {}) : before_step_(std::move(before_step)) {}

  // ---- Whole files ----
  // The content is written to a temporary file beside it and synced, gets its name, and the folder is synced. When that
  // fails the temporary file is removed, and the path is as it was or, if only the last sync failed, has its new
  // content.

  /// The temporary file is called like this one with ".tmp" after it. What a crash leaves of it is overwritten.
  Result<void> replace(const std::filesystem::path& path, std::string_view content) const;
  /// False when there is something at `path` already, which is never replaced.
  Result<bool> create(const std::filesystem::path& path, std::string_view content,
                      Readers readers = Readers::kAsUsual) const;

  // ---- Single steps ----

  /// The folder and the missing ones above it.
  Result<void> make_folders(const std::filesystem::path& folder) const;
  /// The folders of the path `below`, one in the other, in `root`, which exists. Those that exist are made to last,
  /// too.
  Result<void> make_folders(const std::filesystem::path& root, const std::filesystem::path& below) const;
  /// Writes a file, over what it held, and syncs its content; its entry only lasts once its folder is synced. What was
  /// written remains after a failure.
  Result<void> write(const std::filesystem::path& path, std::string_view content,
                     Readers readers = Readers::kAsUsual) const;
  /// Makes the content of a file last that somebody else has written.
  Result<void> sync(const std::filesystem::path& path) const;
  /// Makes the entries of a folder last: files created, renamed and removed in it.
  Result<void> sync_folder(const std::filesystem::path& folder) const;
  /// Gives a file a second name. False when that name is taken; never replaces anything.
  Result<bool> link(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// Replaces `to` at once, and syncs its folder.
  Result<void> rename(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// It may be gone already.
  Result<void> remove(const std::filesystem::path& path) const;

  // ---- Reading ----

  /// The names in a folder, sorted; none when there is no such folder.
  static Result<std::vector<std::string>> list(const std::filesystem::path& folder);
  /// The bytes of a regular file, of which there may be `bytes_max`. A link is not followed.
  static Result<std::string> read(const std::filesystem::path& path, std::size_t bytes_max);
  /// The first `bytes_max` bytes of a file.
  static Result<std::string> read_start(const std::filesystem::path& path, std::size_t bytes_max);

 private:
  [[nodiscard]] Result<void> step(std::string_view name, const std::filesystem::path& path) const;
  Result<bool> publish_new(const std::filesystem::path& temporary, const std::filesystem::path& path) const;

  BeforeStep before_step_;
};

}  // namespace dolmen
