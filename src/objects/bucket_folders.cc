#include "objects/bucket_folders.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/ascii.h"
#include "base/fail.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;

/// What a file is called while it is written; base/file_writer.h.
constexpr std::string_view kUnfinishedSuffix = ".tmp";

std::unexpected<Error> no_object(const std::string& key) {
  return fail(Code::kObjectNotFound, "there is no object {}", key);
}

std::unexpected<Error> is_link(const fs::path& path) {
  return fail(Code::kAccessDenied, "{} is a symbolic link, which buckets do not follow", path.string());
}

std::unexpected<Error> too_long(const std::string& key) {
  return fail(Code::kInvalidArgument, "the key {} has a part that is too long for a file's name", key);
}

class FolderBucket final : public ObjectStore {
 public:
  FolderBucket(fs::path folder, FileWriter files) : folder_(std::move(folder)), files_(std::move(files)) {}

  Result<void> put(const std::string& key, std::string_view body) override {
    DOLMEN_TRY(const fs::path path, path_of(key));
    if (path.filename().native().size() + kUnfinishedSuffix.size() > NAME_MAX) return too_long(key);
    const fs::path below = path.lexically_relative(folder_).parent_path();
    if (!below.empty()) DOLMEN_TRY_VOID(files_.make_folders(folder_, below));
    return files_.replace(path, body);
  }

  Result<std::string> read(const std::string& key, std::uint64_t offset, std::size_t bytes_max) override {
    DOLMEN_TRY(const fs::path path, path_of(key));
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.is_open() && (errno == ENOENT || errno == ENOTDIR)) return no_object(key);
    if (!file.is_open()) return std::unexpected(file_error(errno, "read", path));
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return std::unexpected(file_error(errno, "look at", path));
    if (!S_ISREG(status.st_mode)) return no_object(key);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    std::string bytes(std::min<std::uint64_t>(bytes_max, size - std::min(offset, size)), '\0');
    std::size_t got = 0;
    while (got < bytes.size()) {
      const ssize_t count =
          ::pread(file.get(), bytes.data() + got, bytes.size() - got, static_cast<off_t>(offset + got));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return std::unexpected(file_error(errno, "read", path));
      if (count == 0) break;
      got += static_cast<std::size_t>(count);
    }
    bytes.resize(got);
    return bytes;
  }

  Result<void> remove(const std::string& key) override {
    DOLMEN_TRY(const fs::path path, path_of(key));
    return files_.remove(path);
  }

  Result<std::vector<ObjectInfo>> list(const std::string& prefix) override {
    // The whole part of the prefix is a folder, so that not all objects are walked over.
    fs::path start = folder_;
    if (const std::size_t slash = prefix.rfind('/'); slash != std::string::npos) {
      DOLMEN_TRY(start, path_of(prefix.substr(0, slash)));
    }
    std::vector<ObjectInfo> found;
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(start, failed), end; !failed && entry != end; entry.increment(failed)) {
      std::error_code gone;
      if (entry->is_symlink(gone) || !entry->is_regular_file(gone) || gone) continue;
      std::string key = entry->path().lexically_relative(folder_).generic_string();
      if (!key.starts_with(prefix) || key.ends_with(kUnfinishedSuffix)) continue;
      const std::uintmax_t bytes = entry->file_size(gone);
      const fs::file_time_type written = entry->last_write_time(gone);
      if (gone) continue;
      if (found.size() == kListedMax)
        return fail(Code::kLimitExceeded, "more than {} objects begin with \"{}\"", kListedMax, prefix);
      found.push_back(
          {.key = std::move(key), .bytes = bytes, .modified_at = fs::file_time_type::clock::to_sys(written)});
    }
    if (failed && failed != std::errc::no_such_file_or_directory && failed != std::errc::not_a_directory)
      return std::unexpected(file_error(failed.value(), "list", start));
    std::ranges::sort(found, {}, &ObjectInfo::key);
    return found;
  }

 private:
  /// The file of an object. Fails when a part of its path is a symbolic link.
  [[nodiscard]] Result<fs::path> path_of(const std::string& key) const {
    DOLMEN_TRY(const std::vector<std::string_view> parts, object_key_parts(key));
    fs::path path = folder_;
    for (const std::string_view part : parts) {
      if (part.size() > NAME_MAX) return too_long(key);
      path /= part;
      std::error_code ignored;
      if (fs::is_symlink(fs::symlink_status(path, ignored))) return is_link(path);
    }
    if (path.native().size() + kUnfinishedSuffix.size() >= PATH_MAX)
      return fail(Code::kInvalidArgument, "the key {} is too long for a file below {}", key, folder_.string());
    return path;
  }

  const fs::path folder_;
  const FileWriter files_;
};

bool is_bucket_name(const std::string& name) {
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && name.size() <= NAME_MAX && std::ranges::all_of(name, fits) &&
         is_letter_or_digit(name.front());
}

class BucketFolders final : public Buckets {
 public:
  BucketFolders(fs::path directory, FileWriter files) : directory_(std::move(directory)), files_(std::move(files)) {}

  Result<std::shared_ptr<ObjectStore>> open(const std::string& bucket) override {
    const auto missing = [&] {
      return fail(Code::kBucketNotFound, "there is no bucket {}: make a folder of that name in {}", bucket,
                  directory_.string());
    };
    if (!is_bucket_name(bucket)) return missing();
    const fs::path folder = directory_ / bucket;
    std::error_code failed;
    const fs::file_status status = fs::symlink_status(folder, failed);
    if (fs::is_symlink(status)) return is_link(folder);
    if (!fs::is_directory(status)) return missing();
    return std::make_shared<FolderBucket>(folder, files_);
  }

 private:
  const fs::path directory_;
  const FileWriter files_;
};

}  // namespace

Result<std::unique_ptr<Buckets>> open_bucket_folders(const fs::path& directory, FileWriter files) {
  std::error_code failed;
  fs::path whole = fs::canonical(directory, failed);
  if (failed || !fs::is_directory(whole, failed))
    return fail(Code::kDirectoryUnusable, "{} is not a folder of buckets", directory.string());
  return std::make_unique<BucketFolders>(std::move(whole), std::move(files));
}

}  // namespace dolmen
