#include <climits>
#include <fmt/format.h>
#include <limits>
#include <system_error>

#include "base/clock.h"
#include "base/fail.h"
#include "base/percent_encoding.h"
#include "base/random.h"
#include "dolmen/isr.h"
#include "isr/body_key.h"
#include "isr/directory.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;

/// The folder of files that are being written. No key maps to this name.
constexpr const char* kUnfinished = "%unfinished";
/// Older files were left behind by a process that died.
constexpr std::chrono::hours kUnfinishedAgeMax{24};
constexpr int kTriesMax = 3;

class DirectoryBodies final : public BodyStore {
 public:
  DirectoryBodies(fs::path root, FileWriter files) : root_(std::move(root)), files_(std::move(files)) {}

  Result<void> open() {
    DOLMEN_TRY_VOID(files_.make_folders(root_ / kUnfinished));
    remove_leftovers();
    return {};
  }

  Result<void> put(const std::string& key, std::string_view body) override {
    DOLMEN_TRY(const fs::path path, path_of(key));
    const fs::path unfinished = root_ / kUnfinished / random_uuid(system_random());
    Result<void> done = files_.write(unfinished, body);
    if (done) done = move_into_place(unfinished, path);
    std::error_code ignored;
    if (!done) fs::remove(unfinished, ignored);
    return done;
  }

  Result<std::optional<std::string>> get(const std::string& key) override {
    DOLMEN_TRY(const fs::path path, path_of(key));
    Result<std::string> body = FileWriter::read_start(path, std::numeric_limits<std::size_t>::max());
    // A file counts as missing only when it certainly does not exist, not when it cannot be accessed.
    std::error_code ignored;
    const fs::file_type type = body ? fs::file_type::regular : fs::status(path, ignored).type();
    if (type == fs::file_type::not_found || type == fs::file_type::directory) return std::nullopt;
    if (!body) return std::unexpected(std::move(body).error());
    return std::move(*body);
  }

  Result<std::optional<BodyInfo>> head(const std::string& key) override {
    DOLMEN_TRY(const fs::path path, path_of(key));
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(path, failed);
    if (!failed) return BodyInfo{.bytes = bytes};
    if (failed == std::errc::no_such_file_or_directory || failed == std::errc::not_a_directory ||
        failed == std::errc::is_a_directory)
      return std::nullopt;
    return std::unexpected(file_error(failed.value(), "look at", path));
  }

  Result<void> remove(const std::string& key) override {
    DOLMEN_TRY(const fs::path path, path_of(key));
    std::error_code failed;
    // A directory is not a body: the bodies below it have their own keys.
    if (fs::is_directory(path, failed)) return {};
    fs::remove(path, failed);
    if (failed && failed != std::errc::not_a_directory)
      return std::unexpected(file_error(failed.value(), "remove", path));
    // A directory that is not empty stays.
    for (fs::path folder = path.parent_path(); folder != root_; folder = folder.parent_path())
      if (!fs::remove(folder, failed)) break;
    return {};
  }

  Result<void> list(const std::string& prefix, const Found& found) override {
    std::error_code failed;
    // The whole part of the prefix is a directory, so that not all bodies are walked over.
    const std::size_t slash = prefix.rfind('/');
    fs::path start = root_;
    if (slash != std::string::npos) {
      DOLMEN_TRY(start, path_of(prefix.substr(0, slash)));
    }
    for (fs::recursive_directory_iterator entry(start, failed), end; !failed && entry != end; entry.increment(failed)) {
      if (entry.depth() == 0 && entry->path() == root_ / kUnfinished) {
        entry.disable_recursion_pending();
        continue;
      }
      say_of(*entry, prefix, found);
    }
    if (failed && failed != std::errc::no_such_file_or_directory)
      return std::unexpected(file_error(failed.value(), "list", start));
    return {};
  }

 private:
  /// A file that goes meanwhile is left out, and so is one whose name cannot be a body's.
  void say_of(const fs::directory_entry& entry, const std::string& prefix, const Found& found) const {
    std::error_code failed;
    if (!entry.is_regular_file(failed) || failed) return;
    const std::optional<std::string> key = percent_decoded(entry.path().lexically_relative(root_).string());
    const std::uintmax_t bytes = entry.file_size(failed);
    if (failed || !key || !key->starts_with(prefix)) return;
    const fs::file_time_type written = entry.last_write_time(failed);
    if (!failed) found(*key, {.bytes = bytes, .modified_at = fs::file_time_type::clock::to_sys(written)});
  }

  [[nodiscard]] Result<fs::path> path_of(const std::string& key) const {
    DOLMEN_TRY(const std::vector<std::string_view> parts, body_key_parts(key));
    fs::path path = root_;
    for (const std::string_view part : parts) {
      const std::string name = percent_encoded(part);
      if (name.size() > NAME_MAX)
        return fail(Code::kInvalidArgument, "the key of a body, {}, has a part that is too long for a file's name",
                    key);
      path /= name;
    }
    if (path.native().size() >= PATH_MAX)
      return fail(Code::kInvalidArgument, "the key of a body, {}, is too long for a file below {}", key,
                  root_.string());
    return path;
  }

  /// Repeats the move when it fails: removing the last other body of a directory removes the directory too.
  Result<void> move_into_place(const fs::path& from, const fs::path& to) const {
    for (int attempt = 1;; ++attempt) {
      DOLMEN_TRY_VOID(files_.make_folders(to.parent_path()));
      Result<void> done = files_.rename(from, to);
      std::error_code ignored;
      if (done || attempt >= kTriesMax || !fs::exists(from, ignored)) return done;
    }
  }

  void remove_leftovers() const {
    const auto oldest = fs::file_time_type::clock::from_sys(system_clock().now()) - kUnfinishedAgeMax;
    std::error_code failed;
    for (fs::directory_iterator entry(root_ / kUnfinished, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      std::error_code ignored;
      if (entry->last_write_time(ignored) < oldest && !ignored) fs::remove(entry->path(), ignored);
    }
  }

  const fs::path root_;
  const FileWriter files_;
};

}  // namespace

Result<std::unique_ptr<BodyStore>> open_body_directory(const std::filesystem::path& directory,
                                                       const FileWriter& files) {
  auto bodies = std::make_unique<DirectoryBodies>(directory, files);
  DOLMEN_TRY_VOID(bodies->open());
  return bodies;
}

Result<std::unique_ptr<BodyStore>> open_body_directory(const std::filesystem::path& directory) {
  return open_body_directory(directory, FileWriter());
}

}  // namespace dolmen
