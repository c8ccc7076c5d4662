#include "storage/rocks_writer.h"

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "base/check.h"
#include "storage/rocks_error.h"

namespace dolmen::storage {
namespace {

/// What RocksDB adds to a batch, generously: reserving too little costs a copy of everything.
constexpr std::size_t kRecordOverheadBytes = 32;
constexpr std::size_t kChangeOverheadBytes = 8;

/// Replays batches into one of RocksDB's.
class Translation {
 public:
  explicit Translation(const Database& database, std::span<const Batch> group)
      : database_(database), out_(reserved_bytes(group)) {
    for (const Batch& batch : group) batch.replay(*this);
  }

  void put(Keyspace keyspace, std::string_view key, std::string_view value) {
    check(out_.Put(database_.family(keyspace), key, value));
  }
  void remove(Keyspace keyspace, std::string_view key) { check(out_.Delete(database_.family(keyspace), key)); }
  void remove_range(Keyspace keyspace, KeyRangeView range) {
    check(out_.DeleteRange(database_.family(keyspace), range.lower, range.upper));
  }
  void log_data(std::string_view bytes) { check(out_.PutLogData(bytes)); }

  rocksdb::WriteBatch* result() { return &out_; }

 private:
  static std::size_t reserved_bytes(std::span<const Batch> group) {
    std::size_t bytes = kRecordOverheadBytes;
    for (const Batch& batch : group) bytes += batch.byte_size() + batch.count() * kChangeOverheadBytes;
    return bytes;
  }

  static void check(const rocksdb::Status& status) { DOLMEN_CHECK(status.ok(), "RocksDB refused a change to a batch"); }

  const Database& database_;
  rocksdb::WriteBatch out_;
};

class RocksWriter final : public CommitSink {
 public:
  RocksWriter(const Database& database, Durability durability) : database_(database) {
    patient_.sync = durability == Durability::kSync;
    patient_.disableWAL = durability == Durability::kMemory;
    impatient_ = patient_;
    impatient_.no_slowdown = true;
  }

  Result<void> write(std::span<const Batch> group) override {
    Translation translation(database_, group);
    const rocksdb::Status status = database_.db().Write(patient_, translation.result());
    if (!status.ok()) return std::unexpected(error_from(status, "write to the log"));
    return {};
  }

  Result<bool> try_write(const Batch& batch) override {
    Translation translation(database_, {&batch, 1});
    const rocksdb::Status status = database_.db().Write(impatient_, translation.result());
    if (status.IsIncomplete()) return false;
    if (!status.ok()) return std::unexpected(error_from(status, "write to the log"));
    return true;
  }

 private:
  const Database& database_;
  rocksdb::WriteOptions patient_;
  rocksdb::WriteOptions impatient_;
};

}  // namespace

std::unique_ptr<CommitSink> make_rocks_writer(const Database& database, Durability durability) {
  return std::make_unique<RocksWriter>(database, durability);
}

}  // namespace dolmen::storage
