#include "buckets/folder_mirror.h"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/fail.h"
#include "base/file_writer.h"
#include "base/random.h"
#include "buckets/s3_bucket.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBucketScheme = "s3://";
constexpr std::size_t kFetchedAtOnce = std::size_t{8} << 20;
/// S3 takes no larger objects in one request.
constexpr std::uint64_t kObjectBytesMax = std::uint64_t{5} << 30;

}  // namespace

bool is_bucket_url(std::string_view text) { return text.starts_with(kBucketScheme); }

Result<std::unique_ptr<FolderMirror>> FolderMirror::open(const std::string& url,
                                                         const std::function<bool(std::string_view)>& is_needed) {
  if (!is_bucket_url(url)) return fail(Code::kInvalidArgument, "\"{}\" does not begin with {}", url, kBucketScheme);
  const std::string place = url.substr(kBucketScheme.size());
  const std::size_t slash = std::min(place.find('/'), place.size());
  std::string prefix = place.substr(std::min(slash + 1, place.size()));
  if (!prefix.empty() && !prefix.ends_with('/')) prefix.push_back('/');
  DOLMEN_TRY(std::shared_ptr<ObjectStore> bucket, open_s3_bucket(place.substr(0, slash), {}));
  return open(std::move(bucket), std::move(prefix), is_needed);
}

Result<std::unique_ptr<FolderMirror>> FolderMirror::open(std::shared_ptr<ObjectStore> bucket, std::string prefix,
                                                         const std::function<bool(std::string_view)>& is_needed) {
  std::error_code failed;
  const fs::path temporary = fs::temp_directory_path(failed);
  if (failed) return fail(Code::kIo, "there is no folder for temporary files: {}", failed.message());
  const fs::path folder = temporary / ("dolmen-mirror-" + random_uuid(system_random()));
  DOLMEN_TRY_VOID(FileWriter().make_folders(folder));
  std::unique_ptr<FolderMirror> mirror(new FolderMirror(std::move(bucket), std::move(prefix), folder));
  DOLMEN_TRY(const std::vector<ObjectInfo> objects, mirror->bucket_->list(mirror->prefix_));
  for (const ObjectInfo& object : objects) {
    const std::string name = object.key.substr(mirror->prefix_.size());
    // Names with .. would be outside of the folder.
    if (!object_key_parts(name)) continue;
    mirror->remote_.emplace(name, object.bytes);
    if (is_needed(name)) {
      DOLMEN_TRY_VOID(mirror->fetch_file(name));
    } else {
      DOLMEN_TRY_VOID(mirror->make_placeholder(name, object.bytes));
    }
  }
  return mirror;
}

FolderMirror::~FolderMirror() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Result<void> FolderMirror::make_placeholder(const std::string& name, std::uint64_t bytes) const {
  const fs::path path = folder_ / name;
  DOLMEN_TRY_VOID(FileWriter().make_folders(path.parent_path()));
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.is_open() || ::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
    return std::unexpected(file_error(errno, "write", path));
  return {};
}

Result<void> FolderMirror::fetch_file(const std::string& name) {
  DOLMEN_TRY_VOID(make_placeholder(name, 0));
  const fs::path path = folder_ / name;
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return std::unexpected(file_error(errno, "write", path));
  for (std::uint64_t offset = 0;;) {
    DOLMEN_TRY(const std::string piece, bucket_->read(prefix_ + name, offset, kFetchedAtOnce));
    if (piece.empty()) return {};
    for (std::size_t at = 0; at < piece.size();) {
      const ssize_t written = ::write(file.get(), piece.data() + at, piece.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return std::unexpected(file_error(errno, "write", path));
      at += static_cast<std::size_t>(written);
    }
    offset += piece.size();
  }
}

Result<void> FolderMirror::fetch(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    Result<void> fetched = remote_.contains(name) ? fetch_file(name) : fail(Code::kObjectNotFound, "{}", name);
    if (fetched) continue;
    if (fetched.error().code() != Code::kObjectNotFound) return fetched;
    std::error_code ignored;
    fs::remove(folder_ / name, ignored);
  }
  return {};
}

Result<void> FolderMirror::put_new(const std::function<void(std::vector<std::string>&)>& order) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::string name = entry->path().lexically_relative(folder_).generic_string();
    if (entry->is_regular_file(failed) && !remote_.contains(name)) names.push_back(std::move(name));
  }
  if (failed) return std::unexpected(file_error(failed.value(), "list", folder_));
  order(names);
  for (const std::string& name : names) {
    DOLMEN_TRY(const std::string content, FileWriter::read(folder_ / name, kObjectBytesMax));
    DOLMEN_TRY_VOID(bucket_->put(prefix_ + name, content));
    remote_.emplace(name, content.size());
  }
  return {};
}

Result<void> FolderMirror::remove_gone() {
  for (auto file = remote_.begin(); file != remote_.end();) {
    std::error_code ignored;
    if (fs::exists(folder_ / file->first, ignored)) {
      ++file;
      continue;
    }
    DOLMEN_TRY_VOID(bucket_->remove(prefix_ + file->first));
    file = remote_.erase(file);
  }
  return {};
}

}  // namespace dolmen
