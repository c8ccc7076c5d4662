#include "storage/rocks_writer.h"

#include <optional>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "base/broken.h"
#include "base/check.h"
#include "base/endian.h"
#include "base/fail.h"
#include "base/metrics.h"
#include "storage/counters.h"
#include "storage/no_waiting.h"
#include "storage/rocks_error.h"
#include "storage/uncounted.h"

namespace dolmen::storage {
namespace {

/// An upper estimate of what RocksDB adds to a batch: reserving too little costs a copy of everything.
constexpr std::size_t kRecordOverheadBytes = 32;
constexpr std::size_t kChangeOverheadBytes = 16;  // Including the number of an appended row.

/// Replays batches into one RocksDB batch.
class Translation {
 public:
  Translation(const Database& database, const RowSeals& seals, CounterRows& counters, std::span<const Batch> group)
      : database_(database), seals_(seals), counters_(counters), out_(reserved_bytes(group)) {
    // First, so that they write again what the store has now, and never what the group has just changed.
    for (const Batch& batch : group)
      if (batch.rewrites()) batch.replay(Rewriting(*this));
    for (const Batch& batch : group) batch.replay(*this);
    counters_.for_each_changed(
        [this](Keyspace keyspace, std::string_view key, std::string_view value) { put(keyspace, key, value); });
  }

  void put(Keyspace keyspace, std::string_view key, std::string_view value) {
    const Result<bool> sealed = seals_.seal(keyspace, key, value, sealed_);
    if (!sealed) return note(sealed.error());
    check(out_.Put(database_.family(keyspace), key, *sealed ? std::string_view(sealed_) : value));
  }
  void remove(Keyspace keyspace, std::string_view key) { check(out_.Delete(database_.family(keyspace), key)); }
  void remove_range(Keyspace keyspace, KeyRangeView range) {
    check(out_.DeleteRange(database_.family(keyspace), range.lower, range.upper));
  }
  void add(Keyspace keyspace, std::string_view key, std::string_view amounts) {
    if (Result<void> added = counters_.add(keyspace, key, amounts); !added && counted_) counted_ = std::move(added);
  }
  void remove_counters(Keyspace keyspace, std::string_view key) {
    remove(keyspace, key);
    counters_.remove(keyspace, key);
  }
  void append(Keyspace rows, Keyspace counters, std::string_view key, std::string_view value) {
    const Result<std::uint64_t> number = counters_.next(counters, key);
    if (!number) return note(number.error());
    appended_key_.assign(key);
    append_big_endian(appended_key_, *number);
    put(rows, appended_key_, value);
    ++appended_;
  }
  void rewrite(Keyspace /*keyspace*/, std::string_view /*key*/) {}  // Done before everything else.
  void log_data(std::string_view bytes) { check(out_.PutLogData(bytes)); }

  rocksdb::WriteBatch* result() { return &out_; }
  /// Fails when a counter could not be read, or a value not be sealed.
  const Result<void>& counted() const { return counted_; }
  /// How many rows were numbered.
  std::uint64_t appended() const { return appended_; }

 private:
  static std::size_t reserved_bytes(std::span<const Batch> group) {
    std::size_t bytes = kRecordOverheadBytes;
    for (const Batch& batch : group) bytes += batch.byte_size() + batch.count() * kChangeOverheadBytes;
    return bytes;
  }

  /// Visits only the rows of a batch that are to be written again.
  class Rewriting {
   public:
    explicit Rewriting(Translation& translation) : translation_(translation) {}

    void rewrite(Keyspace keyspace, std::string_view key) { translation_.write_again(keyspace, key); }
    void put(Keyspace, std::string_view, std::string_view) {}
    void remove(Keyspace, std::string_view) {}
    void remove_range(Keyspace, KeyRangeView) {}
    void add(Keyspace, std::string_view, std::string_view) {}
    void remove_counters(Keyspace, std::string_view) {}
    void append(Keyspace, Keyspace, std::string_view, std::string_view) {}
    void log_data(std::string_view) {}

   private:
    Translation& translation_;
  };

  void write_again(Keyspace keyspace, std::string_view key) {
    std::string stored;
    const rocksdb::Status status = database_.db().Get(rocksdb::ReadOptions(), database_.family(keyspace), key, &stored);
    if (!status.ok() || seals_.is_current(keyspace, key, stored)) return;
    if (!seals_.is_sealed(keyspace, stored)) return put(keyspace, key, stored);
    std::string plain;
    if (seals_.open(keyspace, key, stored, plain)) put(keyspace, key, plain);
  }

  void note(const Error& error) {
    if (counted_) counted_ = std::unexpected(error);
  }

  static void check(const rocksdb::Status& status) {
    DOLMEN_CHECK(status.ok(), "RocksDB accepts every change to a batch");
  }

  const Database& database_;
  const RowSeals& seals_;
  CounterRows& counters_;
  Result<void> counted_;
  std::string appended_key_;  ///< Kept for its memory, as the next one.
  std::string sealed_;
  std::uint64_t appended_ = 0;
  rocksdb::WriteBatch out_;
};

class RocksWriter final : public CommitSink {
 public:
  RocksWriter(Database& database, const RowSeals& seals, Durability durability)
      : database_(database), seals_(seals), counters_(database) {
    patient_.sync = durability == Durability::kSync && !broken(Defect::kSkipSync);
    patient_.disableWAL = durability == Durability::kMemory;
    impatient_ = patient_;
    impatient_.no_slowdown = true;
  }

  Result<void> write(std::span<const Batch> group) override {
    DOLMEN_TRY_VOID(write_as(patient_, group));
    return {};
  }

  Result<bool> try_write(std::span<const Batch> group) override { return write_as(impatient_, group); }

  [[nodiscard]] std::uint64_t appended_rows() const override { return appended_rows_.value(); }

  [[nodiscard]] bool may_recover() const override { return database_.may_resume(); }

  Result<bool> recover() override { return database_.resume(); }

 private:
  /// False when nothing is written because the store has to catch up first.
  Result<bool> write_as(const rocksdb::WriteOptions& options, std::span<const Batch> group) {
    const Uncounted uncounted;
    // A counter that is not in memory may have to be read from the disk.
    NoWaiting attempt(options.no_slowdown);
    Translation translation(database_, seals_, counters_, group);
    attempt.end();
    if (attempt.has_refused() || !translation.counted()) {
      counters_.forget();
      if (attempt.has_refused()) return false;
      return std::unexpected(translation.counted().error());
    }
    const rocksdb::Status status = database_.db().Write(options, translation.result());
    if (status.ok()) {
      counters_.keep();
      if (translation.appended() > 0) appended_rows_.add(translation.appended());
      return true;
    }
    counters_.forget();
    if (options.no_slowdown && status.IsIncomplete()) return false;
    // RocksDB knows only that the log is busy.
    if (const std::optional<Error> cause = database_.log_failure())
      return fail(cause->code(), "cannot write to the log: {}", cause->message());
    Error error = error_from(status, "write to the log");
    database_.doubt_log(error);
    return std::unexpected(std::move(error));
  }

  Database& database_;
  const RowSeals& seals_;
  CounterRows counters_;  ///< Used by one thread at a time, as the sink is.
  metrics::Counter appended_rows_;
  rocksdb::WriteOptions patient_;
  rocksdb::WriteOptions impatient_;
};

}  // namespace

std::unique_ptr<CommitSink> make_rocks_writer(Database& database, const RowSeals& seals, Durability durability) {
  return std::make_unique<RocksWriter>(database, seals, durability);
}

}  // namespace dolmen::storage
