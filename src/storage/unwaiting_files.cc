#include "storage/unwaiting_files.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <string>
#include <string_view>
#include <sys/uio.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "storage/no_waiting.h"
#include "storage/patient_read.h"

namespace dolmen::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

/// Whether the kernel can read without waiting where the tables are, until it says that it cannot.
using Ability = std::shared_ptr<std::atomic<bool>>;

bool says_unable(int error) {
  // EPERM comes from sandboxes that do not know the call.
  static constexpr std::array kErrors{EOPNOTSUPP, ENOSYS, EINVAL, EPERM};
  for (const int known : kErrors)
    if (error == known) return true;
  return false;
}

IOStatus refuse(NoWaiting& attempt, const std::string& path) {
  attempt.refuse();
  return IOStatus::Busy("the read would wait for the disk", path);
}

IOStatus failure(std::string_view doing, const std::string& path, int error) {
  const std::string what = fmt::format("while {} the table {}", doing, path);
  const std::string why = std::generic_category().message(error);
  return error == ENOENT ? IOStatus::PathNotFound(what, why) : IOStatus::IOError(what, why);
}

/// A table that is open for reading. It takes the place of RocksDB's own file, which does not tell its descriptor: with
/// another one for reads without waiting, a store would need twice as many.
class TableFile final : public rocksdb::FSRandomAccessFile {
 public:
  TableFile(int descriptor, std::string path, Ability able)
      : descriptor_(descriptor), path_(std::move(path)), able_(std::move(able)) {}
  ~TableFile() override { ::close(descriptor_); }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  IOStatus Read(std::uint64_t offset, std::size_t n, const IOOptions& /*options*/, Slice* result, char* scratch,
                IODebugContext* /*debug*/) const override {
    NoWaiting* const attempt = NoWaiting::current();
    if (attempt != nullptr && able_->load(std::memory_order_relaxed)) {
      if (read_at_once(offset, n, scratch)) {
        *result = Slice(scratch, n);
        return IOStatus::OK();
      }
      if (able_->load(std::memory_order_relaxed)) return refuse(*attempt, path_);
    }
    return read(offset, n, result, scratch);
  }
  /// The disk begins with all of them before anybody waits for one.
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    if (NoWaiting::current() == nullptr && count > 1)
      for (std::size_t i = 0; i < count; ++i) advise(requests[i].offset, requests[i].len, POSIX_FADV_WILLNEED);
    return FSRandomAccessFile::MultiRead(requests, count, options, debug);
  }
  /// For a thread that does not wait this does nothing, because the kernel may have to look up where the file is.
  IOStatus Prefetch(std::uint64_t offset, std::size_t n, const IOOptions& /*options*/,
                    IODebugContext* /*debug*/) override {
    if (NoWaiting::current() == nullptr && ::readahead(descriptor_, static_cast<off64_t>(offset), n) != 0)
      return failure("reading ahead in", path_, errno);
    return IOStatus::OK();
  }
  void Hint(AccessPattern pattern) override {
    switch (pattern) {
      case kNormal: return advise(0, 0, POSIX_FADV_NORMAL);
      case kRandom: return advise(0, 0, POSIX_FADV_RANDOM);
      case kSequential: return advise(0, 0, POSIX_FADV_SEQUENTIAL);
      case kWillNeed: return advise(0, 0, POSIX_FADV_WILLNEED);
      case kWontNeed: return advise(0, 0, POSIX_FADV_DONTNEED);
    }
  }
  IOStatus InvalidateCache(std::size_t offset, std::size_t length) override {
    advise(offset, length, POSIX_FADV_DONTNEED);
    return IOStatus::OK();
  }

 private:
  /// Reads all of it, or says false: also after an error, which whoever waits for the same read will meet.
  bool read_at_once(std::uint64_t offset, std::size_t n, char* scratch) const {
    const iovec into{.iov_base = scratch, .iov_len = n};
    const ssize_t got = ::preadv2(descriptor_, &into, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    if (got < 0 && says_unable(errno)) able_->store(false, std::memory_order_relaxed);
    return got >= 0 && static_cast<std::size_t>(got) == n;
  }

  /// Less than `n` only at the end of the file.
  IOStatus read(std::uint64_t offset, std::size_t n, Slice* result, char* scratch) const {
    std::size_t done = 0;
    while (done < n) {
      const ssize_t got = ::pread(descriptor_, scratch + done, n - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        *result = Slice(scratch, 0);
        return failure("reading", path_, errno);
      }
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    *result = Slice(scratch, done);
    return IOStatus::OK();
  }

  void advise(std::size_t offset, std::size_t length, int advice) const {
    ::posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length), advice);
  }

  const int descriptor_;
  const std::string path_;
  const Ability able_;
};

class UnwaitingFiles final : public rocksdb::FileSystemWrapper {
 public:
  explicit UnwaitingFiles(const std::shared_ptr<rocksdb::FileSystem>& base) : FileSystemWrapper(base) {}

  const char* Name() const override { return "DolmenUnwaitingFiles"; }

  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result, IODebugContext* debug) override {
    if (!path.ends_with(".sst")) return target()->NewRandomAccessFile(path, options, result, debug);
    if (NoWaiting* const attempt = NoWaiting::current()) return refuse(*attempt, path);
    PatientRead::opens_table();
    int descriptor = -1;
    do descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return failure("opening", path, errno);
    *result = std::make_unique<TableFile>(descriptor, path, able_);
    return IOStatus::OK();
  }

 private:
  const Ability able_ = std::make_shared<std::atomic<bool>>(true);
};

class UnwaitingEnv final : public rocksdb::EnvWrapper {
 public:
  UnwaitingEnv() : EnvWrapper(rocksdb::NewCompositeEnv(make_unwaiting_files(rocksdb::FileSystem::Default()))) {}

  const char* Name() const override { return "DolmenUnwaitingEnv"; }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> make_unwaiting_files(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return std::make_shared<UnwaitingFiles>(base);
}

std::unique_ptr<rocksdb::Env> make_unwaiting_env() { return std::make_unique<UnwaitingEnv>(); }

}  // namespace dolmen::storage
