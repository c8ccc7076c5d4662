#include "storage/directory.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "base/fail.h"

namespace dolmen::storage {
namespace {

constexpr std::string_view kMarker = "DOLMEN";
constexpr std::string_view kUnfinishedMarker = "DOLMEN.new";
constexpr std::string_view kDatabase = "rocksdb";
constexpr std::string_view kSeal = "SEAL";
constexpr std::string_view kUnfinishedSeal = "SEAL.tmp";
constexpr std::string_view kLogs = "LOGS";
constexpr std::string_view kUnfinishedLogs = "LOGS.tmp";
constexpr std::string_view kMarkerStart = "dolmen data directory, format ";
constexpr std::size_t kMarkerBytesMax = 64;
constexpr std::size_t kNamesShownMax = 5;

std::string marker_text(int format = kDirectoryFormat) { return fmt::format("{}{}\n", kMarkerStart, format); }

std::optional<int> format_of(std::string_view marker) {
  if (!marker.starts_with(kMarkerStart) || !marker.ends_with('\n')) return std::nullopt;
  marker.remove_prefix(kMarkerStart.size());
  marker.remove_suffix(1);
  int format = 0;
  const auto [end, error] = std::from_chars(marker.data(), marker.data() + marker.size(), format);
  if (error != std::errc{} || end != marker.data() + marker.size()) return std::nullopt;
  return format;
}

Result<FileDescriptor> open_directory(const std::filesystem::path& path, const FileWriter& files) {
  const auto attempt = [&path] { return FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); };
  FileDescriptor directory = attempt();
  if (!directory.is_open() && errno == ENOENT) {
    DOLMEN_TRY_VOID(files.make_folders(path));
    directory = attempt();
    // Nobody else's business, whatever the umask is.
    if (directory.is_open() && ::fchmod(directory.get(), S_IRWXU) != 0)
      return std::unexpected(file_error(errno, "protect the data directory", path));
  }
  if (!directory.is_open()) return std::unexpected(file_error(errno, "open the data directory", path));
  return directory;
}

Result<void> check_access(const std::filesystem::path& path) {
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) == 0) return {};
  return std::unexpected(file_error(errno, "read and write the directory", path));
}

// The lock is on the directory itself, so that taking it changes nothing on the disk. On file systems that cannot lock
// directories (NFS), only RocksDB's own lock file protects the store.
Result<void> lock_directory(const FileDescriptor& directory, const std::filesystem::path& path, int kind) {
  if (::flock(directory.get(), kind | LOCK_NB) == 0 || errno == EBADF || errno == EOPNOTSUPP) return {};
  if (errno != EWOULDBLOCK) return std::unexpected(file_error(errno, "lock the data directory", path));
  return fail(Code::kDirectoryInUse,
              "the data directory {} is in use by another process or by this one. Close the store that has it open",
              path.native());
}

Result<std::vector<std::string>> list_names(const std::filesystem::path& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename());
  }
  if (error) return std::unexpected(file_error(error.value(), "list the data directory", path));
  std::ranges::sort(names);
  return names;
}

std::unexpected<Error> foreign(const std::filesystem::path& path, std::vector<std::string> names) {
  const bool more = names.size() > kNamesShownMax;
  if (more) names.resize(kNamesShownMax);
  return fail(Code::kForeignDirectory,
              "{} is not a Dolmen data directory: it holds {}{} but no {} file. Name a directory that is empty or does "
              "not exist yet, or one that Dolmen has made",
              path.native(), fmt::join(names, ", "), more ? ", ..." : "", kMarker);
}

Result<void> check_marker(const std::filesystem::path& path) {
  DOLMEN_TRY(const std::string marker, FileWriter::read_start(path / kMarker, kMarkerBytesMax));
  const std::optional<int> format = format_of(marker);
  if (!format) {
    return fail(Code::kForeignDirectory, "{} is not a Dolmen data directory: its {} file does not name a data format",
                path.native(), kMarker);
  }
  if (*format < kDirectoryFormat || *format > kDirectoryFormatSealed) {
    return fail(Code::kFormatVersion,
                "{} holds data of format {}, and this version of Dolmen reads and writes formats {} to {}. Open it "
                "with the version that wrote it",
                path.native(), *format, kDirectoryFormat, kDirectoryFormatSealed);
  }
  return {};
}

// True when an interrupted creation can have left `names` behind: nothing, or a marker that was being written and, once
// that was complete, a database with its seal and its note.
Result<bool> is_unfinished(const std::filesystem::path& path, const std::vector<std::string>& names) {
  if (names.empty()) return true;
  if (std::ranges::find(names, kUnfinishedMarker) == names.end()) return false;
  DOLMEN_TRY(const std::string marker, FileWriter::read_start(path / kUnfinishedMarker, kMarkerBytesMax));
  if (!marker_text().starts_with(marker)) return false;
  return std::ranges::all_of(names, [](const auto& name) {
    for (const auto own : {kUnfinishedMarker, kDatabase, kSeal, kUnfinishedSeal, kLogs, kUnfinishedLogs})
      if (name == own) return true;
    return false;
  });
}

}  // namespace

Result<Directory> Directory::open(const std::filesystem::path& path, FileWriter files) {
  DOLMEN_TRY(FileDescriptor lock, open_directory(path, files));
  DOLMEN_TRY_VOID(lock_directory(lock, path, LOCK_EX));
  DOLMEN_TRY_VOID(check_access(path));
  DOLMEN_TRY(std::vector<std::string> names, list_names(path));
  const bool marked = std::ranges::find(names, kMarker) != names.end();
  if (marked) {
    DOLMEN_TRY_VOID(check_marker(path));
    if (std::ranges::find(names, kDatabase) != names.end()) DOLMEN_TRY_VOID(check_access(database_in(path)));
  } else {
    DOLMEN_TRY(const bool unfinished, is_unfinished(path, names));
    if (!unfinished) return foreign(path, std::move(names));
  }
  return Directory(path, std::move(files), std::move(lock), !marked);
}

Result<Directory> Directory::open_for_copy(const std::filesystem::path& path) {
  FileDescriptor lock(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.is_open()) return std::unexpected(file_error(errno, "open the data directory", path));
  DOLMEN_TRY_VOID(lock_directory(lock, path, LOCK_SH));
  DOLMEN_TRY(std::vector<std::string> names, list_names(path));
  if (names.empty()) return fail(Code::kForeignDirectory, "{} is empty; there is no store in it", path.native());
  if (std::ranges::find(names, kMarker) == names.end()) return foreign(path, std::move(names));
  DOLMEN_TRY_VOID(check_marker(path));
  return Directory(path, FileWriter(), std::move(lock), false);
}

Result<void> Directory::begin_creation() {
  std::error_code error;
  DOLMEN_TRY_VOID(files_.write(path_ / kUnfinishedMarker, marker_text()));
  DOLMEN_TRY_VOID(files_.sync_folder(path_));
  std::filesystem::remove_all(database(), error);
  if (error) return std::unexpected(file_error(error.value(), "remove", database()));
  return {};
}

Result<void> Directory::finish_creation() {
  DOLMEN_TRY_VOID(files_.rename(path_ / kUnfinishedMarker, path_ / kMarker));
  is_new_ = false;
  return {};
}

// Without DOLMEN.new, which would allow the next open to delete the database.
Result<void> Directory::mark(const std::filesystem::path& path, const FileWriter& files, int format) {
  return files.replace(path / kMarker, marker_text(format));
}

int Directory::format_in(const std::filesystem::path& path) {
  const Result<std::string> marker = FileWriter::read_start(path / kMarker, kMarkerBytesMax);
  return marker ? format_of(*marker).value_or(kDirectoryFormat) : kDirectoryFormat;
}

}  // namespace dolmen::storage
