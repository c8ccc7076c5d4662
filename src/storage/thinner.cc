#include "storage/thinner.h"

#include <rocksdb/db.h>

#include "base/thread_name.h"
#include "storage/reclaim.h"

namespace dolmen::storage {

void Thinner::ask(Keyspace keyspace) {
  const std::scoped_lock lock(asked_mutex_);
  if (busy_ || asked_ || stopping_) return;
  asked_ = keyspace;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

void Thinner::run() {
  name_thread("thinner");
  std::unique_lock lock(asked_mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return asked_ || stopping_; });
    if (stopping_) return;
    busy_ = true;
    const Keyspace keyspace = *asked_;
    asked_.reset();
    lock.unlock();
    if (!thin(keyspace)) ignored_ = kIgnoredReads;
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

/// A failure is ignored here: RocksDB then refuses writes, and says why.
bool Thinner::thin(Keyspace keyspace) const {
  rocksdb::DB& db = database_.db();
  rocksdb::ColumnFamilyHandle* const family = database_.family(keyspace);
  std::uint64_t bytes = 0;
  if (!db.GetIntProperty(family, rocksdb::DB::Properties::kCurSizeActiveMemTable, &bytes) || bytes < kBufferBytesMin)
    return false;
  // In memory there is no answer.
  if (const Result<std::uint64_t> free = free_bytes_of(database_); free && *free < kFreeBytesMin) return false;
  return db.Flush(rocksdb::FlushOptions(), family).ok();
}

void Thinner::wait_until_idle() {
  std::unique_lock lock(asked_mutex_);
  changed_.wait(lock, [this] { return !asked_ && !busy_; });
}

void Thinner::stop() {
  {
    const std::scoped_lock lock(asked_mutex_);
    stopping_ = true;
    asked_.reset();
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

}  // namespace dolmen::storage
