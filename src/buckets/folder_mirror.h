#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "objects/object_store.h"

namespace dolmen {

/// s3://BUCKET or s3://BUCKET/PREFIX.
bool is_bucket_url(std::string_view text);

/// A folder of a bucket, and a temporary folder on this machine that stands for it while a program for folders works on
/// it. Files are never changed, only added and removed. For one program at a time.
///
/// The temporary folder has all files, but only some of them with their content: the others have the right length, take
/// no space, and must not be read before they have been fetched.
class FolderMirror {
 public:
  /// Looks at the bucket, whose server is AWS or AWS_ENDPOINT_URL_S3. `is_needed` says which files are fetched at once.
  /// Fails with kInvalidArgument and as ObjectStore does.
  static Result<std::unique_ptr<FolderMirror>> open(const std::string& url,
                                                    const std::function<bool(std::string_view name)>& is_needed);
  /// The same with a bucket that is open.
  static Result<std::unique_ptr<FolderMirror>> open(std::shared_ptr<ObjectStore> bucket, std::string prefix,
                                                    const std::function<bool(std::string_view name)>& is_needed);
  /// Removes the temporary folder.
  ~FolderMirror();
  FolderMirror(const FolderMirror&) = delete;
  FolderMirror& operator=(const FolderMirror&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// Fetches the content of these files. One that the bucket does not have is removed here, too.
  Result<void> fetch(const std::vector<std::string>& names);
  /// Puts new files into the bucket, in the order in which `ordered` returns their names.
  Result<void> put_new(const std::function<void(std::vector<std::string>& names)>& order);
  /// Removes files from the bucket that are gone here.
  Result<void> remove_gone();

 private:
  FolderMirror(std::shared_ptr<ObjectStore> bucket, std::string prefix, std::filesystem::path folder)
      : bucket_(std::move(bucket)), prefix_(std::move(prefix)), folder_(std::move(folder)) {}

  Result<void> fetch_file(const std::string& name);
  Result<void> make_placeholder(const std::string& name, std::uint64_t bytes) const;

  std::shared_ptr<ObjectStore> bucket_;
  const std::string prefix_;
  const std::filesystem::path folder_;
  /// The files of the bucket, with their lengths.
  std::map<std::string, std::uint64_t> remote_;
};

}  // namespace dolmen
