#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "dolmen/error.h"
#include "storage/batch.h"
#include "storage/iterator.h"
#include "storage/keyspace.h"
#include "storage/no_waiting.h"
#include "storage/options.h"
#include "storage/row_notes.h"
#include "storage/row_seals.h"
#include "storage/snapshot.h"

namespace dolmen::storage {

/// Rows of one keyspace; an empty `upper` means no upper bound.
struct KeptRange {
  Keyspace keyspace;
  std::string lower = {};
  std::string upper = {};
};

/// An ordered store of byte strings on disk or in memory. All functions may be called from any thread, except that only
/// commits may be in progress in other threads when `close` is called.
///
///     DOLMEN_TRY(auto storage, Storage::open({.directory = "data", .keyspaces = {"rows"}}));
///     Batch batch;
///     batch.put(Keyspace{0}, "key", "value");
///     DOLMEN_TRY_VOID(storage->commit(std::move(batch)));
class Storage {
 public:
  static constexpr std::uint64_t kReclaimFreeBytesMin = std::uint64_t{64} << 20;

  /// Opens or creates a store. A failure changes nothing on the disk.
  ///
  /// Fails with kDirectoryInUse, kDirectoryUnusable (cannot be created, read or written), kForeignDirectory (holds
  /// something else), kFormatVersion, kCorruption, kNoSpace, kIo, kInvalidArgument (the list of keyspaces), or the
  /// error of `options.inspect_directory` or `options.inspect_log`.
  static Result<std::unique_ptr<Storage>> open(const Options& options);

  /// Opens a store that nobody has open for reading, after the checks of `open`, and with what is in its log. Nothing
  /// in the directory is changed; every commit fails. Fails as `open` does, and with kForeignDirectory when there is no
  /// store.
  static Result<std::unique_ptr<Storage>> open_unchanged(const Options& options);

  /// Opens a directory with a database for reading, without any check; for what is left of a damaged store.
  static Result<std::unique_ptr<Storage>> open_left(const Options& options);

  /// Closes the store and ignores what `close` would report.
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  /// Completes every commit made so far, then closes the files and unlocks the directory. Later calls on the store fail
  /// with kClosed; closing again does nothing. Snapshots and iterators must have been destroyed. The store is closed
  /// even when this fails, which in kSync loses no commit: the log has them all.
  Result<void> close();

  /// Makes programs that know nothing of encrypted rows refuse the store from now on, durably. Does nothing when they
  /// do already, or in memory.
  Result<void> mark_sealed();

  /// Which values are encrypted, and the keys for it. Shared with copies of the store that are opened with it.
  [[nodiscard]] const std::shared_ptr<RowSeals>& seals() const;

  /// What writers remember of the rows that they wrote lately.
  [[nodiscard]] RowNotes& notes() const;

  /// Reads the value of `key` into `value` and returns true. When the key does not exist, returns false and leaves
  /// `value` unspecified. Fails with kCorruption, kIo or kClosed, and with kAccessDenied when the key of an encrypted
  /// value is missing (row_seals.h).
  Result<bool> get(Keyspace keyspace, std::string_view key, std::string& value,
                   const Snapshot* snapshot = nullptr) const;

  /// Brings what reads of these rows need into memory, waiting for the disk once for many of them and not for each.
  /// Whatever fails will fail for the reads.
  void warm(Keyspace keyspace, std::span<const std::string> keys) const;

  /// Ends an attempt to read without waiting. When this is true, it is counted, and a thread that may wait has to read
  /// everything again.
  [[nodiscard]] bool would_wait(NoWaiting& attempt) const {
    attempt.end();
    if (attempt.has_refused()) [[unlikely]]
      count_cold_read();
    return attempt.has_refused();
  }

  /// A snapshot of the current content. Reads at the snapshot of a closed store fail.
  [[nodiscard]] Snapshot snapshot() const;

  /// Walks `range`, at `snapshot` or at the current moment. The bounds are copied; the snapshot must live as long as
  /// the iterator.
  [[nodiscard]] Iterator iterate(Keyspace keyspace, KeyRangeView range, const Snapshot* snapshot = nullptr) const;

  /// The same for whoever needs no values, or needs them as they are stored: those that are encrypted stay so.
  [[nodiscard]] Iterator iterate_stored(Keyspace keyspace, KeyRangeView range,
                                        const Snapshot* snapshot = nullptr) const;

  /// Tells the store that a read of so many rows has passed so many versions of rows (version_count.h). When most of
  /// them are old, the store writes the buffer they are in to a file, in the background, so that later reads pass
  /// fewer.
  void tell_passed(Keyspace keyspace, std::uint64_t rows, std::uint64_t passed) const;

  /// The approximate size in bytes of the keys and values of `range`, in files and in memory. Costs a few reads.
  [[nodiscard]] Result<std::uint64_t> approximate_size(Keyspace keyspace, KeyRangeView range) const;

  /// Gives the disk space of a range back to the file system. All keys of the range have been removed before, nobody
  /// writes to it any more, and it has an upper bound. Takes as long as rewriting the files that hold a part of the
  /// range; readers and writers continue meanwhile, but those of the range itself may see removed keys again until this
  /// has returned. After a crash, call it again. Snapshots keep what they see, and therefore its space.
  ///
  /// Whole files of the range go first, which needs no space. The rest fails with kNoSpace while less than
  /// kReclaimFreeBytesMin is free; call it again later.
  ///
  /// Returns false when `stop` was requested before the end; the range stays removed. No call may be in progress when
  /// the store is closed. Fails as `commit` does, and with kCorruption.
  Result<bool> reclaim(Keyspace keyspace, KeyRangeView range, const std::stop_token& stop = {});

  /// Writes what is in memory to files, and the files of a range again without the values that were replaced, so that
  /// no file has them any more, except for what snapshots and copies keep. Takes as long as rewriting those files;
  /// readers and writers continue meanwhile. Needs space as `reclaim` does, and fails as it does. Returns false when
  /// `stop` was requested before the end.
  Result<bool> rewrite_files(Keyspace keyspace, KeyRangeView range, const std::stop_token& stop = {});

  /// Reads every file of the store and compares the checksum of each block, and sets `files` to their number. Fails
  /// with kCorruption, which names the first damaged file, kIo or kClosed.
  Result<void> verify_files(std::uint64_t& files) const;

  /// The number of bytes that the file system of the directory has free for this process; the largest number in memory.
  [[nodiscard]] Result<std::uint64_t> free_bytes() const;

  /// What opening the store found in the log.
  [[nodiscard]] const Recovery& recovery() const;

  /// Why every commit is refused; nothing while they are accepted.
  [[nodiscard]] std::optional<Error> write_failure() const;

  /// How many numbered rows have been written since the store was opened (Batch::append).
  [[nodiscard]] std::uint64_t appended_rows() const;

  /// What happens in the store: commits, files, levels, memory and caches. Nothing once it is closed.
  void describe(metrics::Report& report) const;

  /// Applies `batch` and returns once it is as durable as the store's options say. No reader sees it before that.
  ///
  /// Fails with kNoSpace, kIo, kLimitExceeded, kThrottled or kClosed. After kNoSpace or kIo every commit fails. When
  /// the cause is a full disk, exhausted descriptors or the like, commits are accepted again once it is gone, and the
  /// failed ones have had no effect. After a failed sync the store must be opened again, and the failed commit may or
  /// may not have taken effect then. A crash before either leaves the same doubt. Must not be called from within a
  /// callback of commit_async.
  Result<void> commit(Batch batch);

  /// The same without waiting for the disk: `done` is called exactly once with the result. In kSync it is called by the
  /// store's commit thread, after one disk sync for all waiting commits; otherwise usually by the calling thread,
  /// before this returns or, on a thread that works in rounds, at the end of the round. It must not block, and may
  /// commit again.
  void commit_async(Batch batch, std::move_only_function<void(Result<void>)> done);

  /// Makes a consistent copy of the store in `directory`, which must be missing or empty. The copy opens like any other
  /// store. Commits continue meanwhile. The copy shares files with the store when both are on one file system.
  ///
  /// Fails with kDirectoryUnusable, kForeignDirectory (not empty), kNoSpace, kIo, kClosed, or kUnsupported in memory.
  Result<void> checkpoint(const std::filesystem::path& directory);

  /// The same with all that the data directory has beside the database, so that the copy is the whole store. Fails also
  /// with kInvalidArgument when `directory` is inside of the data directory.
  Result<void> fork(const std::filesystem::path& directory);

  /// Copies all rows, as they are at one moment, to another store with the same keyspaces, to which nothing has been
  /// committed yet.
  Result<void> copy_rows_to(Storage& other) const;

  /// Makes a consistent copy of some rows in `directory`, which must be missing or empty. The ranges are sorted and do
  /// not overlap; the copy may hold more than them. Commits continue meanwhile. The copy shares files with the store
  /// when both are on one file system, and has a list of its files with their checksums. Fails as `checkpoint` does.
  Result<void> copy_ranges(const std::filesystem::path& directory, std::span<const KeptRange> kept);

  /// Opens such a copy for reading, after a look at every file. Nothing in the directory is changed, and several may
  /// have it open; every commit fails. `seals` are those of the store that the copy was made of. Fails with
  /// kCorruption, which names each damaged or missing file.
  static Result<std::unique_ptr<Storage>> open_copy(const std::filesystem::path& directory,
                                                    std::vector<std::string> keyspaces,
                                                    std::shared_ptr<RowSeals> seals = nullptr);

  /// The data directory; empty for a store in memory.
  [[nodiscard]] const std::filesystem::path& directory() const;

 private:
  struct State;

  explicit Storage(std::unique_ptr<State> state);

  void count_cold_read() const;

  std::unique_ptr<State> state_;
};

}  // namespace dolmen::storage
