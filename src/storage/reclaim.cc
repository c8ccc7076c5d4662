#include "storage/reclaim.h"

#include <atomic>
#include <chrono>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/file_system.h>

#include "base/sleep.h"
#include "storage/rocks_error.h"

namespace dolmen::storage {
namespace {

/// Whether a snapshot is older than the write with the given sequence number.
bool has_snapshot_before(rocksdb::DB& db, rocksdb::SequenceNumber sequence) {
  std::uint64_t oldest = 0;
  if (!db.GetIntProperty(rocksdb::DB::Properties::kOldestSnapshotSequence, &oldest)) return true;
  return oldest != 0 && oldest < sequence;
}

/// Waits for the snapshots of the moment, which most readers hold for a few milliseconds. Returns whether they are
/// gone.
bool await_snapshots(rocksdb::DB& db, const std::stop_token& stop) {
  constexpr int kTriesMax = 100;
  constexpr std::chrono::milliseconds kPause{20};
  const rocksdb::SequenceNumber now = db.GetLatestSequenceNumber();
  for (int i = 0; has_snapshot_before(db, now); ++i) {
    if (i == kTriesMax || stop.stop_requested()) return false;
    sleep_unless_stopped(kPause, stop);
  }
  return true;
}

}  // namespace

Result<void> drop_files(const Database& database, Keyspace keyspace, KeyRangeView range, const std::stop_token& stop) {
  // RocksDB deletes files without regard to snapshots. One that is taken from here on does not see the removed keys.
  if (!await_snapshots(database.db(), stop)) return {};
  const rocksdb::Slice lower(range.lower);
  const rocksdb::Slice upper(range.upper);
  const rocksdb::RangePtr files(&lower, &upper);
  const rocksdb::Status status =
      rocksdb::DeleteFilesInRanges(&database.db(), database.family(keyspace), &files, 1, /*include_end=*/false);
  if (!status.ok()) return std::unexpected(error_from(status, "delete the files of removed rows"));
  return {};
}

Result<bool> compact(const Database& database, Keyspace keyspace, KeyRangeView range, const std::stop_token& stop) {
  std::atomic<bool> canceled = false;
  const std::stop_callback cancel(stop, [&canceled] { canceled = true; });
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  // Without this the lowest level, which holds most of the rows, would stay as it is.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  options.canceled = &canceled;
  const rocksdb::Slice lower(range.lower);
  const rocksdb::Slice upper(range.upper);
  const rocksdb::Status status = database.db().CompactRange(options, database.family(keyspace), &lower, &upper);
  if (status.IsManualCompactionPaused()) return false;
  if (!status.ok()) return std::unexpected(error_from(status, "rewrite the files of removed rows"));
  return true;
}

Result<std::uint64_t> free_bytes_of(const Database& database) {
  std::uint64_t bytes = 0;
  rocksdb::DB& db = database.db();
  const rocksdb::IOStatus status =
      db.GetFileSystem()->GetFreeSpace(db.GetName(), rocksdb::IOOptions(), &bytes, nullptr);
  if (!status.ok()) return std::unexpected(error_from(status, "measure the free space of the disk"));
  return bytes;
}

}  // namespace dolmen::storage
