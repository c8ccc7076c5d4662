// The file system through which LogKeeper watches a database.

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

#include "storage/log_files.h"
#include "storage/log_keeper.h"

namespace dolmen::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

/// True for a failure that goes away without anything being repaired: a full disk, no descriptors, no permission.
/// RocksDB keeps the text of the operating system and not its number.
bool may_pass(const IOStatus& status) {
  if (status.IsNoSpace()) return true;
  if (!status.IsIOError()) return false;
  static const std::array texts = [] {
    std::array<std::string, 7> all;
    std::ranges::transform(std::array{EMFILE, ENFILE, EDQUOT, ENOMEM, EROFS, EACCES, EPERM}, all.begin(),
                           [](int number) { return std::generic_category().message(number); });
    return all;
  }();
  const std::string text = status.ToString();
  return std::ranges::any_of(texts, [&](const std::string& one) { return text.ends_with(one); });
}

/// Lets RocksDB resume after a failure to open a file that passes.
IOStatus passing(IOStatus status) {
  if (may_pass(status)) status.SetRetryable(true);
  return status;
}

/// Ends before the end of its file.
class ShortenedFile final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  ShortenedFile(std::unique_ptr<rocksdb::FSSequentialFile> file, std::uint64_t left)
      : FSSequentialFileOwnerWrapper(std::move(file)), left_(left) {}

  IOStatus Read(std::size_t n, const IOOptions& options, Slice* result, char* scratch, IODebugContext* debug) override {
    IOStatus status = target()->Read(std::min<std::uint64_t>(n, left_), options, result, scratch, debug);
    if (status.ok()) left_ -= result->size();
    return status;
  }
  IOStatus Skip(std::uint64_t n) override {
    const std::uint64_t skipped = std::min(n, left_);
    left_ -= skipped;
    return target()->Skip(skipped);
  }

 private:
  std::uint64_t left_;
};

}  // namespace

/// A log that is being written.
class LogKeeper::LogFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  LogFile(std::unique_ptr<rocksdb::FSWritableFile> file, LogKeeper& keeper, std::uint64_t number, std::string path)
      : FSWritableFileOwnerWrapper(std::move(file)), keeper_(keeper), number_(number), path_(std::move(path)) {
    has_identity_ = ::stat(path_.c_str(), &identity_) == 0;
  }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    if (ended_) return IOStatus::Busy("the log takes no further record", path_);
    // Commits that are not synced are looked at here, from time to time; those that are, after their sync.
    if (appended_ > synced_ && is_time_to_look()) {
      if (IOStatus status = check_presence(); !status.ok()) return status;
    }
    if (appended_ == 0) keeper_.log_begun(number_);
    IOStatus status = target()->Append(data, options, debug);
    if (status.ok()) {
      appended_ += data.size();
      return status;
    }
    return may_pass(status) ? end_cleanly(status, options, debug) : status;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo& /*info*/,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return sync([&] { return target()->Sync(options, debug); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return sync([&] { return target()->Fsync(options, debug); });
  }

 private:
  /// Removes what was written of the record, or of its last part. RocksDB, told that the file is busy, goes on without
  /// it; see Database::resume. Otherwise it would demand to be opened again.
  IOStatus end_cleanly(const IOStatus& cause, const IOOptions& options, IODebugContext* debug) {
    ended_ = true;
    target()->Truncate(appended_, options, debug).PermitUncheckedError();
    keeper_.log_failed(number_, Error(cause.IsNoSpace() ? Code::kNoSpace : Code::kIo, cause.ToString()));
    return IOStatus::Busy("the log takes no further record", cause.ToString());
  }

  template <class Do>
  IOStatus sync(Do&& do_sync) {
    // The operating system may forget what it failed to write, and call the next sync a success.
    if (failed_) return IOStatus::IOError("an earlier sync of the log has failed", path_);
    const std::uint64_t bytes = appended_;
    IOStatus status = do_sync();
    if (!status.ok()) {
      failed_ = true;
      return IOStatus::IOError("cannot sync the log", status.ToString());
    }
    if (status = check_presence(); !status.ok()) return status;
    synced_ = bytes;
    keeper_.log_synced(number_, bytes);
    return status;
  }

  /// Every few milliseconds, at the price of reading a variable.
  bool is_time_to_look() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (now.tv_sec == looked_at_.tv_sec && now.tv_nsec == looked_at_.tv_nsec) return false;
    looked_at_ = now;
    return true;
  }

  /// Fails once the file is not at its path any more: what is written to it is lost, or will not be found.
  IOStatus check_presence() const {
    struct stat now = {};
    if (!has_identity_) return IOStatus::OK();
    if (::stat(path_.c_str(), &now) == 0 && now.st_ino == identity_.st_ino && now.st_dev == identity_.st_dev)
      return IOStatus::OK();
    return IOStatus::IOError("the log was deleted or moved while the store had it open", path_);
  }

  LogKeeper& keeper_;
  const std::uint64_t number_;
  const std::string path_;
  struct stat identity_ = {};
  bool has_identity_ = false;
  timespec looked_at_ = {};
  std::atomic<std::uint64_t> appended_ = 0;
  std::atomic<std::uint64_t> synced_ = 0;
  std::atomic<bool> ended_ = false;
  std::atomic<bool> failed_ = false;
};

/// The folder of the database.
class LogKeeper::Folder final : public rocksdb::FSDirectoryWrapper {
 public:
  Folder(std::unique_ptr<rocksdb::FSDirectory> folder, LogKeeper& keeper)
      : FSDirectoryWrapper(std::move(folder)), keeper_(keeper) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return sync([&] { return FSDirectoryWrapper::Fsync(options, debug); });
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& how) override {
    return sync([&] { return FSDirectoryWrapper::FsyncWithDirOptions(options, debug, how); });
  }

 private:
  template <class Do>
  IOStatus sync(Do&& do_sync) {
    const std::vector<std::uint64_t> logs = keeper_.hidden_logs();
    IOStatus status = do_sync();
    // The record of the commit that waits for it may stand in the log already. So, as with the log, no failure passes.
    if (!status.ok()) return IOStatus::IOError("cannot sync the folder of the log", status.ToString());
    keeper_.folder_synced(logs);
    return status;
  }

  LogKeeper& keeper_;
};

class LogKeeper::Files final : public rocksdb::FileSystemWrapper {
 public:
  Files(const std::shared_ptr<rocksdb::FileSystem>& base, LogKeeper& keeper)
      : FileSystemWrapper(base), keeper_(keeper) {}

  const char* Name() const override { return "DolmenLogKeeper"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result, IODebugContext* debug) override {
    IOStatus status = passing(target()->NewSequentialFile(path, options, result, debug));
    if (!status.ok()) return status;
    const std::optional<std::uint64_t> log = own_log(path);
    const std::optional<std::uint64_t> limit = log ? keeper_.limit_of(*log) : std::nullopt;
    if (limit) *result = std::make_unique<ShortenedFile>(std::move(*result), *limit);
    return status;
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result, IODebugContext* debug) override {
    return passing(target()->NewRandomAccessFile(path, options, result, debug));
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) override {
    if (const auto manifest = manifest_number(name_in(path)); manifest && is_own(path))
      keeper_.manifest_created(*manifest);
    IOStatus status = passing(target()->NewWritableFile(path, options, result, debug));
    const std::optional<std::uint64_t> log = own_log(path);
    if (!status.ok() || !log) return status;
    keeper_.log_created(*log);
    *result = std::make_unique<LogFile>(std::move(*result), keeper_, *log, path);
    return status;
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext* debug) override {
    IOStatus status = passing(target()->NewDirectory(path, options, result, debug));
    if (status.ok() && is_own(path + "/.")) *result = std::make_unique<Folder>(std::move(*result), keeper_);
    return status;
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (const std::optional<std::uint64_t> log = own_log(path)) {
      if (const Result<void> left = keeper_.log_leaves(*log); !left) return IOStatus::IOError(left.error().message());
    }
    return target()->DeleteFile(path, options, debug);
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    if (const std::optional<std::uint64_t> log = own_log(from)) {
      if (const Result<void> left = keeper_.log_leaves(*log); !left) return IOStatus::IOError(left.error().message());
    }
    return target()->RenameFile(from, to, options, debug);
  }

 private:
  /// Not one of a copy that RocksDB makes in another folder.
  [[nodiscard]] bool is_own(const std::string& path) const {
    return std::filesystem::path(path).parent_path().lexically_normal() == keeper_.database_.lexically_normal();
  }
  [[nodiscard]] std::optional<std::uint64_t> own_log(const std::string& path) const {
    const std::optional<std::uint64_t> number = log_number(name_in(path));
    return number && is_own(path) ? number : std::nullopt;
  }

  LogKeeper& keeper_;
};

std::unique_ptr<rocksdb::Env> LogKeeper::watch(rocksdb::Env& base) {
  class WatchedEnv final : public rocksdb::EnvWrapper {
   public:
    WatchedEnv(const rocksdb::Env& base, const std::shared_ptr<rocksdb::FileSystem>& files)
        : EnvWrapper(rocksdb::NewCompositeEnv(files)) {
      file_system_ = files;
      system_clock_ = base.GetSystemClock();
    }
    const char* Name() const override { return "DolmenWatchedEnv"; }
  };
  return std::make_unique<WatchedEnv>(base, std::make_shared<Files>(base.GetFileSystem(), *this));
}

}  // namespace dolmen::storage
