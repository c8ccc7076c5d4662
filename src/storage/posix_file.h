#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/error.h"

namespace dolmen::storage {

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

// What follows fails with kNoSpace when the disk is full and else with kDirectoryUnusable; the message names the path
// and the operating system's reason.

/// The error for the system call that has just failed on `path` with `error_number`. `doing` completes "cannot ...".
Error system_error(int error_number, std::string_view doing, const std::filesystem::path& path);

/// Creates the directory `path` and the missing ones above it, so that they survive a power cut. It may exist.
Result<void> make_directories(const std::filesystem::path& path);

/// Makes the entries of a directory survive a power cut: files created, renamed and removed in it.
Result<void> sync_directory(const std::filesystem::path& path);

/// Writes a file whose content survives a power cut. Its entry does only after `sync_directory`.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

/// The first `bytes_max` bytes of a file.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t bytes_max);

/// Renames a file over another and makes that survive a power cut.
Result<void> rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace dolmen::storage
