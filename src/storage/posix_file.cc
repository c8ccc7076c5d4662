#include "storage/posix_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace dolmen::storage {
namespace {

std::unexpected<Error> fail_with_errno(std::string_view doing, const std::filesystem::path& path) {
  return std::unexpected(system_error(errno, doing, path));
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (is_open()) ::close(descriptor_);
}

Error system_error(int error_number, std::string_view doing, const std::filesystem::path& path) {
  const Code code = error_number == ENOSPC || error_number == EDQUOT ? Code::kNoSpace : Code::kDirectoryUnusable;
  return {code, fmt::format("cannot {} {}: {}", doing, path.native(), std::generic_category().message(error_number))};
}

Result<void> make_directories(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return {};
  if (!path.has_filename()) return make_directories(path.parent_path());  // "a/b/" means "a/b".
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  DOLMEN_TRY_VOID(make_directories(parent));
  if (::mkdir(path.c_str(), 0777) == 0) return sync_directory(parent);
  const int error_number = errno;
  if (std::filesystem::is_directory(path, error)) return {};  // Somebody else was faster.
  return std::unexpected(system_error(error_number, "create the directory", path));
}

Result<void> sync_directory(const std::filesystem::path& path) {
  const FileDescriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) return fail_with_errno("open the directory", path);
  if (::fsync(directory.get()) != 0) return fail_with_errno("sync the directory", path);
  return {};
}

Result<void> write_file(const std::filesystem::path& path, std::string_view content) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) return fail_with_errno("create", path);
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written < 0) return fail_with_errno("write", path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0) return fail_with_errno("sync", path);
  return {};
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t bytes_max) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail_with_errno("open", path);
  constexpr std::size_t kStepBytes = 64 * 1024;  // The limit may be far more than there is to read.
  std::string content;
  for (;;) {
    const std::size_t size = content.size();
    content.resize(std::min(size + kStepBytes, bytes_max));
    const ssize_t read = ::read(file.get(), content.data() + size, content.size() - size);
    if (read < 0) return fail_with_errno("read", path);
    content.resize(size + static_cast<std::size_t>(read));
    if (read == 0) return content;
  }
}

Result<void> rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return fail_with_errno("rename into place", to);
  return sync_directory(to.parent_path());
}

}  // namespace dolmen::storage
