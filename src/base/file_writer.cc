#include "base/file_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/fail.h"
#include "base/random.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadStepBytes = 64 * 1024;  // Files are usually far smaller than the limit.

std::unexpected<Error> failure(std::string_view doing, const fs::path& path) {
  return std::unexpected(file_error(errno, doing, path));
}

/// The folder that contains the path; "." when the path does not name one.
fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

Result<std::string> read_up_to(const FileDescriptor& file, const fs::path& path, std::size_t bytes_max) {
  std::string content;
  while (content.size() < bytes_max) {
    const std::size_t size = content.size();
    content.resize(std::min(size + kReadStepBytes, bytes_max));
    const ssize_t got = ::read(file.get(), content.data() + size, content.size() - size);
    if (got < 0 && errno != EINTR) return failure("read", path);
    content.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) break;
  }
  return content;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (is_open()) ::close(descriptor_);
}

Error file_error(int error_number, std::string_view doing, const fs::path& path) {
  const Code code = error_number == ENOSPC || error_number == EDQUOT ? Code::kNoSpace : Code::kDirectoryUnusable;
  return {code, fmt::format("cannot {} {}: {}", doing, path.native(), std::generic_category().message(error_number))};
}

Result<void> FileWriter::step(std::string_view name, const fs::path& path) const {
  if (!before_step_) return {};
  return before_step_(name, path);
}

Result<void> FileWriter::replace(const fs::path& path, std::string_view content, Readers readers) const {
  const fs::path temporary = path.native() + ".tmp";
  Result<void> done = write_for(path, temporary, content, readers);
  if (done) done = rename(temporary, path);
  if (!done) ::unlink(temporary.c_str());
  return done;
}

Result<bool> FileWriter::create(const fs::path& path, std::string_view content, Readers readers) const {
  // Two callers may try at the same time, so each has its own temporary file.
  const fs::path temporary = fmt::format("{}.{:016x}.tmp", path.native(), system_random().next_u64());
  const Result<void> written = write_for(path, temporary, content, readers);
  Result<bool> done = written ? publish_new(temporary, path) : std::unexpected(written.error());
  if (!done) ::unlink(temporary.c_str());
  return done;
}

Result<bool> FileWriter::publish_new(const fs::path& temporary, const fs::path& path) const {
  DOLMEN_TRY(const bool linked, link(temporary, path));
  DOLMEN_TRY_VOID(remove(temporary));
  if (linked) DOLMEN_TRY_VOID(sync_folder(folder_of(path)));
  return linked;
}

Result<void> FileWriter::make_folders(const fs::path& folder) const {
  // "a/b/" means "a/b".
  fs::path root = folder.has_filename() ? folder : folder_of(folder);
  fs::path below;
  std::error_code ignored;
  while (!fs::is_directory(root, ignored) && root.has_filename()) {
    below = below.empty() ? root.filename() : root.filename() / below;
    root = folder_of(root);
  }
  return make_folders(root, below);
}

Result<void> FileWriter::make_folders(const fs::path& root, const fs::path& below) const {
  fs::path path = root;
  for (const fs::path& part : below) {
    const fs::path above = path;
    path /= part;
    DOLMEN_TRY_VOID(step("make_folder", path));
    if (::mkdir(path.c_str(), 0777) != 0) {
      const int error_number = errno;
      std::error_code ignored;
      if (!fs::is_directory(path, ignored))
        return std::unexpected(file_error(error_number, "create the directory", path));
    }
    DOLMEN_TRY_VOID(sync_folder(above));
  }
  return {};
}

Result<void> FileWriter::write(const fs::path& path, std::string_view content, Readers readers) const {
  return write_for(path, path, content, readers);
}

Result<void> FileWriter::write_for(const fs::path& target, const fs::path& path, std::string_view content,
                                   Readers readers) const {
  DOLMEN_TRY_VOID(step("write", path));
  const mode_t mode = readers == Readers::kOwnerAlone ? 0600 : 0666;
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode));
  if (!file.is_open()) return failure("create", target);
  // The file may have been there before, with another mode.
  if (readers == Readers::kOwnerAlone && ::fchmod(file.get(), mode) != 0) return failure("protect", target);
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written < 0 && errno != EINTR) return failure("write", target);
    content.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  DOLMEN_TRY_VOID(step("sync", path));
  if (::fsync(file.get()) != 0) return failure("sync", target);
  return {};
}

Result<void> FileWriter::sync(const fs::path& path) const {
  DOLMEN_TRY_VOID(step("sync", path));
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() || ::fdatasync(file.get()) != 0) return failure("sync", path);
  return {};
}

Result<void> FileWriter::sync_folder(const fs::path& folder) const {
  DOLMEN_TRY_VOID(step("sync_folder", folder));
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return failure("open the directory", folder);
  if (::fsync(opened.get()) != 0) return failure("sync the directory", folder);
  return {};
}

Result<bool> FileWriter::link(const fs::path& from, const fs::path& to) const {
  DOLMEN_TRY_VOID(step("link", to));
  if (::link(from.c_str(), to.c_str()) == 0) return true;
  if (errno == EEXIST) return false;
  return failure("create", to);
}

Result<void> FileWriter::rename(const fs::path& from, const fs::path& to) const {
  DOLMEN_TRY_VOID(step("rename", to));
  if (std::rename(from.c_str(), to.c_str()) != 0) return failure("rename a file to", to);
  return sync_folder(folder_of(to));
}

Result<void> FileWriter::remove(const fs::path& path) const {
  DOLMEN_TRY_VOID(step("remove", path));
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failure("remove", path);
  return {};
}

Result<std::vector<std::string>> FileWriter::list(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename());
  if (error == std::errc::no_such_file_or_directory) return names;
  if (error) return std::unexpected(file_error(error.value(), "list", folder));
  std::ranges::sort(names);
  return names;
}

Result<std::string> FileWriter::read(const fs::path& path, std::size_t bytes_max) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open()) return failure("read", path);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return failure("read", path);
  if (!S_ISREG(status.st_mode))
    return fail(Code::kDirectoryUnusable, "cannot read {}: it is not a file", path.native());
  DOLMEN_TRY(std::string content, read_up_to(file, path, bytes_max + 1));
  if (content.size() > bytes_max)
    return fail(Code::kDirectoryUnusable, "cannot read {}: it is longer than {} bytes", path.native(), bytes_max);
  return content;
}

Result<std::string> FileWriter::read_start(const fs::path& path, std::size_t bytes_max) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return failure("open", path);
  return read_up_to(file, path, bytes_max);
}

}  // namespace dolmen
