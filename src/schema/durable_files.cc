#include "schema/durable_files.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/fail.h"

namespace dolmen::schema {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> failure(int error, std::string_view doing, const fs::path& path) {
  return fail(error == ENOSPC || error == EDQUOT ? Code::kNoSpace : Code::kDirectoryUnusable, "cannot {} {}: {}", doing,
              path.native(), std::generic_category().message(error));
}

/// Closes a descriptor that nobody needs to hear about.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

}  // namespace

Result<void> DurableFiles::step(std::string_view name, const fs::path& path) const {
  if (!before_step_) return {};
  return before_step_(name, path);
}

Result<void> DurableFiles::make_folders(const fs::path& root, const fs::path& below) const {
  fs::path path = root;
  for (const fs::path& part : below) {
    const fs::path above = path;
    path /= part;
    DOLMEN_TRY_VOID(step("make_folder", path));
    if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) return failure(errno, "create the folder", path);
    DOLMEN_TRY_VOID(sync_folder(above));
  }
  return {};
}

Result<void> DurableFiles::write(const fs::path& path, std::string_view content) const {
  DOLMEN_TRY_VOID(step("write", path));
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file.is_open()) return failure(errno, "write", path);
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(errno, "write", path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  DOLMEN_TRY_VOID(step("sync", path));
  if (::fsync(file.get()) != 0) return failure(errno, "sync", path);
  return {};
}

Result<void> DurableFiles::sync_folder(const fs::path& path) const {
  DOLMEN_TRY_VOID(step("sync_folder", path));
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return failure(errno, "open", path);
  if (::fsync(folder.get()) != 0) return failure(errno, "sync", path);
  return {};
}

Result<bool> DurableFiles::link(const fs::path& from, const fs::path& to) const {
  DOLMEN_TRY_VOID(step("link", to));
  if (::link(from.c_str(), to.c_str()) == 0) return true;
  if (errno == EEXIST) return false;
  return failure(errno, "make", to);
}

Result<void> DurableFiles::rename(const fs::path& from, const fs::path& to) const {
  DOLMEN_TRY_VOID(step("rename", to));
  if (::rename(from.c_str(), to.c_str()) != 0) return failure(errno, "rename to", to);
  return {};
}

Result<void> DurableFiles::remove(const fs::path& path) const {
  DOLMEN_TRY_VOID(step("remove", path));
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failure(errno, "remove", path);
  return {};
}

Result<std::vector<std::string>> DurableFiles::list(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename());
  if (error == std::errc::no_such_file_or_directory) return names;
  if (error) return failure(error.value(), "list", folder);
  std::ranges::sort(names);
  return names;
}

Result<std::string> DurableFiles::read(const fs::path& path, std::size_t bytes_max) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open()) return failure(errno, "read", path);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return failure(errno, "read", path);
  if (!S_ISREG(status.st_mode))
    return fail(Code::kDirectoryUnusable, "cannot read {}: it is not a regular file", path.native());
  std::string content(bytes_max + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t got = ::read(file.get(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure(errno, "read", path);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > bytes_max)
    return fail(Code::kDirectoryUnusable, "cannot read {}: it is longer than {} bytes", path.native(), bytes_max);
  content.resize(size);
  return content;
}

}  // namespace dolmen::schema
