#include "storage/fault_file_system.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>
#include <string>
#include <utility>

#include "storage/unwaiting_files.h"

namespace dolmen::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using Plan = std::shared_ptr<FaultPlan>;

IOStatus failure(FaultKind kind, const std::string& path) {
  switch (kind) {
    case FaultKind::kNoSpace: return IOStatus::NoSpace("injected: No space left on device", path);
    case FaultKind::kPowerCut: return IOStatus::IOError("injected: the power is off", path);
    case FaultKind::kIoError:
    case FaultKind::kShortWrite: break;
  }
  return IOStatus::IOError("injected: Input/output error", path);
}

IOStatus begin(FaultPlan& plan, FileOperation operation, const std::string& path) {
  const auto fault = plan.begin(operation, path);
  return fault ? failure(*fault, path) : IOStatus::OK();
}

class FaultSequentialFile final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  FaultSequentialFile(std::unique_ptr<rocksdb::FSSequentialFile> file, Plan plan, std::string path)
      : FSSequentialFileOwnerWrapper(std::move(file)), plan_(std::move(plan)), path_(std::move(path)) {}

  IOStatus Read(std::size_t n, const IOOptions& options, Slice* result, char* scratch, IODebugContext* debug) override {
    if (auto status = begin(*plan_, FileOperation::kRead, path_); !status.ok()) return status;
    return target()->Read(n, options, result, scratch, debug);
  }

 private:
  const Plan plan_;
  const std::string path_;
};

class FaultRandomAccessFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  FaultRandomAccessFile(std::unique_ptr<rocksdb::FSRandomAccessFile> file, Plan plan, std::string path)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), plan_(std::move(plan)), path_(std::move(path)) {}

  IOStatus Read(std::uint64_t offset, std::size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) const override {
    if (auto status = begin(*plan_, FileOperation::kRead, path_); !status.ok()) return status;
    return target()->Read(offset, n, options, result, scratch, debug);
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    if (auto status = begin(*plan_, FileOperation::kRead, path_); !status.ok()) return status;
    return target()->MultiRead(requests, count, options, debug);
  }

 private:
  const Plan plan_;
  const std::string path_;
};

class FaultWritableFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultWritableFile(std::unique_ptr<rocksdb::FSWritableFile> file, Plan plan, std::string path)
      : FSWritableFileOwnerWrapper(std::move(file)), plan_(std::move(plan)), path_(std::move(path)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const auto fault = plan_->begin(FileOperation::kAppend, path_);
    if (!fault) return append(data, options, debug);
    if (fault == FaultKind::kShortWrite) {
      append(Slice(data.data(), data.size() / 2), options, debug).PermitUncheckedError();
    }
    return failure(*fault, path_);
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo& /*info*/,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    if (auto status = begin(*plan_, FileOperation::kSync, path_); !status.ok()) return status;
    return note_sync(target()->Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    if (auto status = begin(*plan_, FileOperation::kSync, path_); !status.ok()) return status;
    return note_sync(target()->Fsync(options, debug));
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    if (plan_->has_crashed()) return failure(FaultKind::kPowerCut, path_);
    plan_->note([&](UnsyncedFiles& files) { files.truncated(path_, size); });
    return target()->Truncate(size, options, debug);
  }

 private:
  IOStatus append(const Slice& data, const IOOptions& options, IODebugContext* debug) {
    IOStatus status = target()->Append(data, options, debug);
    if (status.ok()) plan_->note([&](UnsyncedFiles& files) { files.appended(path_, data.size()); });
    return status;
  }
  IOStatus note_sync(IOStatus status) {
    if (status.ok()) plan_->note([&](UnsyncedFiles& files) { files.synced(path_); });
    return status;
  }

  const Plan plan_;
  const std::string path_;
};

class FaultRandomRWFile final : public rocksdb::FSRandomRWFileOwnerWrapper {
 public:
  FaultRandomRWFile(std::unique_ptr<rocksdb::FSRandomRWFile> file, Plan plan, std::string path)
      : FSRandomRWFileOwnerWrapper(std::move(file)), plan_(std::move(plan)), path_(std::move(path)) {}

  IOStatus Write(std::uint64_t offset, const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const auto fault = plan_->begin(FileOperation::kAppend, path_);
    plan_->note([&](UnsyncedFiles& files) { files.overwriting(path_); });
    if (!fault) return target()->Write(offset, data, options, debug);
    if (fault == FaultKind::kShortWrite)
      target()->Write(offset, Slice(data.data(), data.size() / 2), options, debug).PermitUncheckedError();
    return failure(*fault, path_);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    if (auto status = begin(*plan_, FileOperation::kSync, path_); !status.ok()) return status;
    IOStatus status = target()->Sync(options, debug);
    if (status.ok()) plan_->note([&](UnsyncedFiles& files) { files.synced(path_); });
    return status;
  }

 private:
  const Plan plan_;
  const std::string path_;
};

class FaultDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  FaultDirectory(std::unique_ptr<rocksdb::FSDirectory> directory, Plan plan, std::string path)
      : FSDirectoryWrapper(std::move(directory)), plan_(std::move(plan)), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return sync([&] { return FSDirectoryWrapper::Fsync(options, debug); });
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& how) override {
    return sync([&] { return FSDirectoryWrapper::FsyncWithDirOptions(options, debug, how); });
  }

 private:
  template <class Sync>
  IOStatus sync(Sync&& do_sync) {
    if (auto status = begin(*plan_, FileOperation::kSync, path_); !status.ok()) return status;
    IOStatus status = do_sync();
    if (status.ok()) plan_->note([&](UnsyncedFiles& files) { files.directory_synced(path_); });
    return status;
  }

  const Plan plan_;
  const std::string path_;
};

class FaultFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  FaultFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, Plan plan)
      : FileSystemWrapper(base), plan_(std::move(plan)) {}

  const char* Name() const override { return "DolmenFaultFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result, IODebugContext* debug) override {
    return open<FaultSequentialFile>(path, result,
                                     [&] { return target()->NewSequentialFile(path, options, result, debug); });
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result, IODebugContext* debug) override {
    return open<FaultRandomAccessFile>(path, result,
                                       [&] { return target()->NewRandomAccessFile(path, options, result, debug); });
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) override {
    IOStatus status =
        open<FaultWritableFile>(path, result, [&] { return target()->NewWritableFile(path, options, result, debug); });
    if (status.ok()) plan_->note([&](UnsyncedFiles& files) { files.created(path); });
    return status;
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* result, IODebugContext* debug) override {
    return open<FaultRandomRWFile>(path, result,
                                   [&] { return target()->NewRandomRWFile(path, options, result, debug); });
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext* debug) override {
    return open<FaultDirectory>(path, result, [&] { return target()->NewDirectory(path, options, result, debug); });
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    if (auto status = begin(*plan_, FileOperation::kRename, to); !status.ok()) return status;
    plan_->note([&](UnsyncedFiles& files) { files.renaming(from, to); });
    return target()->RenameFile(from, to, options, debug);
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    IODebugContext* debug) override {
    if (plan_->has_crashed()) return failure(FaultKind::kPowerCut, to);
    plan_->note([&](UnsyncedFiles& files) { files.linked(from, to); });
    return target()->LinkFile(from, to, options, debug);
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (plan_->has_crashed()) return failure(FaultKind::kPowerCut, path);
    plan_->note([&](UnsyncedFiles& files) { files.removed(path); });
    return target()->DeleteFile(path, options, debug);
  }
  IOStatus CreateDir(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (plan_->has_crashed()) return failure(FaultKind::kPowerCut, path);
    return target()->CreateDir(path, options, debug);
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (plan_->has_crashed()) return failure(FaultKind::kPowerCut, path);
    return target()->CreateDirIfMissing(path, options, debug);
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (plan_->has_crashed()) return failure(FaultKind::kPowerCut, path);
    return target()->DeleteDir(path, options, debug);
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options, std::uint64_t* bytes,
                        IODebugContext* debug) override {
    const std::optional<std::uint64_t> pretended = plan_->pretended_free_bytes();
    if (!pretended) return target()->GetFreeSpace(path, options, bytes, debug);
    *bytes = *pretended;
    return IOStatus::OK();
  }

 private:
  template <class FaultFile, class File, class Open>
  IOStatus open(const std::string& path, std::unique_ptr<File>* result, Open&& do_open) {
    if (auto status = begin(*plan_, FileOperation::kOpen, path); !status.ok()) return status;
    IOStatus status = do_open();
    if (status.ok()) *result = std::make_unique<FaultFile>(std::move(*result), plan_, path);
    return status;
  }

  const Plan plan_;
};

/// RocksDB sleeps for a second after a background failure before it tries again. That is useless after a power cut.
class FaultClock final : public rocksdb::SystemClockWrapper {
 public:
  FaultClock(const std::shared_ptr<rocksdb::SystemClock>& base, Plan plan)
      : SystemClockWrapper(base), plan_(std::move(plan)) {}

  const char* Name() const override { return "DolmenFaultClock"; }
  void SleepForMicroseconds(int micros) override {
    if (!plan_->has_crashed()) target_->SleepForMicroseconds(micros);
  }

 private:
  const Plan plan_;
};

class FaultEnv final : public rocksdb::EnvWrapper {
 public:
  explicit FaultEnv(const Plan& plan)
      : EnvWrapper(rocksdb::NewCompositeEnv(
            std::make_shared<FaultFileSystem>(make_unwaiting_files(rocksdb::FileSystem::Default()), plan))) {
    system_clock_ = std::make_shared<FaultClock>(rocksdb::SystemClock::Default(), plan);
  }
};

}  // namespace

std::unique_ptr<rocksdb::Env> make_fault_env(const std::shared_ptr<FaultPlan>& plan) {
  return std::make_unique<FaultEnv>(plan);
}

}  // namespace dolmen::storage
