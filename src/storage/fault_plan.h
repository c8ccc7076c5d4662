#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/unsynced_files.h"

namespace dolmen::storage {

/// The file operations of a store. kSync is for files and directories.
enum class FileOperation : std::uint8_t { kOpen, kRead, kAppend, kSync, kRename };

enum class FaultKind : std::uint8_t {
  kIoError,     ///< EIO
  kNoSpace,     ///< ENOSPC
  kShortWrite,  ///< half of the bytes are appended, then EIO
  kPowerCut,    ///< like FaultPlan::crash
};

/// Which operations fail, and how.
struct Fault {
  FaultKind kind = FaultKind::kIoError;
  std::optional<FileOperation> operation;  ///< Nothing matches every operation.
  std::string path_part;                   ///< Only files whose path contains this; ".log" is the log.
  std::uint64_t skip = 0;                  ///< The number of matching operations that succeed first,
  std::uint64_t times = std::numeric_limits<std::uint64_t>::max();  ///< and of those that then fail.
};

/// Failures that a test injects into the files of one store at a time, while it runs. Thread-safe.
class FaultPlan {
 public:
  /// From now on, operations that match `fault` fail. The first of several matching faults decides.
  void inject(Fault fault);
  /// Forgets all injected faults.
  void clear();

  /// Whether an injected fault has made an operation fail.
  [[nodiscard]] bool has_fired() const;

  /// The number of operations so far on files whose path contains `path_part`, including failed ones.
  [[nodiscard]] std::uint64_t count(FileOperation operation, std::string_view path_part = {}) const;

  /// Makes matching operations wait inside the file system until `release`.
  void hold(FileOperation operation, std::string path_part = {});
  /// Returns as soon as an operation waits.
  void await_held();
  void release();

  /// Lets the file system say that it has so many bytes free; nothing means what is true.
  void pretend_free_bytes(std::optional<std::uint64_t> bytes);

  /// Cuts the power: from now on every operation fails, and the disk keeps its content.
  void crash();
  /// Restores the power: everything that was never synced is lost, and operations succeed again. The store that was
  /// using the files must be closed before.
  ///
  /// `surviving` returns for each file how many of its unsynced bytes have reached the disk anyway; without it, none
  /// have.
  void drop_unsynced(const UnsyncedFiles::Surviving& surviving = {});

  // The rest is for the file system that carries out the plan.

  /// How an operation on `path` must fail; nothing when it must succeed. May wait, see `hold`.
  std::optional<FaultKind> begin(FileOperation operation, const std::string& path);
  [[nodiscard]] std::optional<std::uint64_t> pretended_free_bytes() const;
  /// True between `crash` and `drop_unsynced`.
  [[nodiscard]] bool has_crashed() const;
  /// Records what was done with a file.
  template <class Note>
  void note(Note&& note) {
    const std::scoped_lock lock(plan_mutex_);
    note(files_);
  }

 private:
  struct Pattern {
    FileOperation operation;
    std::string path_part;
  };

  std::optional<FaultKind> match(FileOperation operation, const std::string& path);

  mutable std::mutex plan_mutex_;  ///< Guards all members below.
  std::condition_variable held_changed_;
  std::vector<Fault> faults_;
  bool fired_ = false;
  std::map<std::pair<FileOperation, std::string>, std::uint64_t> counts_;
  std::optional<Pattern> held_;
  std::size_t held_count_ = 0;
  bool crashed_ = false;
  std::optional<std::uint64_t> free_bytes_;
  UnsyncedFiles files_;
};

}  // namespace dolmen::storage
