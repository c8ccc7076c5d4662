#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::schema {

/// Files that survive a power cut. Everything fails with kNoSpace when the disk is full and else with
/// kDirectoryUnusable; the message names the path and the operating system's reason.
class DurableFiles {
 public:
  /// Called before every step that changes the disk, with its name and the path. An error makes the step fail; a test
  /// may also end the process.
  using BeforeStep = std::function<Result<void>(std::string_view step, const std::filesystem::path& path)>;

  explicit DurableFiles(BeforeStep before_step = {}) : before_step_(std::move(before_step)) {}

  /// The folder, and the missing ones above it up to `root`, which exists.
  Result<void> make_folders(const std::filesystem::path& root, const std::filesystem::path& below) const;
  /// Writes a file and syncs its content; its entry only lasts once its folder is synced.
  Result<void> write(const std::filesystem::path& path, std::string_view content) const;
  Result<void> sync_folder(const std::filesystem::path& path) const;
  /// Gives a file a second name. False when that name is taken; never replaces anything.
  Result<bool> link(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// Replaces `to` at once.
  Result<void> rename(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// It may be gone already.
  Result<void> remove(const std::filesystem::path& path) const;

  /// The names in a folder, sorted; none when there is no such folder.
  static Result<std::vector<std::string>> list(const std::filesystem::path& folder);
  /// The bytes of a regular file, of which there may be `bytes_max`.
  static Result<std::string> read(const std::filesystem::path& path, std::size_t bytes_max);

 private:
  [[nodiscard]] Result<void> step(std::string_view name, const std::filesystem::path& path) const;

  BeforeStep before_step_;
};

}  // namespace dolmen::schema
