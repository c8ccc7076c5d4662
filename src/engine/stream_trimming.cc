#include "engine/stream_trimming.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/keyspaces.h"
#include "engine/stream_reading.h"

namespace dolmen::engine::streams {
namespace {

/// Smaller ranges are left to the ordinary rewriting of files.
constexpr std::uint64_t kReclaimedBytesMin = std::uint64_t{32} << 20;

/// A range of keys that owns its bounds.
struct Range {
  std::string lower;
  std::string upper;

  [[nodiscard]] storage::KeyRangeView view() const { return {.lower = lower, .upper = upper}; }
};

class Trimming {
 public:
  Trimming(storage::Storage& storage, TableTime now, const std::stop_token& stop)
      : storage_(storage), now_(now), stop_(stop) {}

  Result<void> run() {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    DOLMEN_TRY(const std::vector<Stream> streams, list(storage_, std::nullopt, std::nullopt, kAll));
    for (const Stream& stream : streams) {
      if (stop_.stop_requested()) return {};
      const Result<void> done = stream.ended && is_old(*stream.ended) ? remove(stream) : trim(stream);
      // Nobody knows how old encrypted records are whose key is missing.
      if (!done && !storage::is_key_missing(done.error())) return done;
    }
    return {};
  }

  /// The time until something gets old.
  [[nodiscard]] std::chrono::milliseconds pause() const {
    return std::clamp<std::chrono::milliseconds>(due_ - now_, kTrimPause, kTrimPauseMax);
  }

 private:
  [[nodiscard]] bool is_old(TableTime time) const { return time + kRetention <= now_; }
  void expect(TableTime time) { due_ = std::min(due_, time + kRetention); }

  Result<void> remove(const Stream& stream) {
    const Range all{shard_key(stream.id, 0), shard_key(stream.id + 1, 0)};
    DOLMEN_TRY(const std::uint64_t bytes, storage_.approximate_size(keyspaces::kStreams, all.view()));
    storage::Batch batch;
    forget(batch, stream);
    batch.remove_range(keyspaces::kStreams, all.view());
    for (std::uint8_t shard = 0; shard < stream.shards; ++shard)
      batch.remove_counters(keyspaces::kCounters, shard_key(stream.id, shard));
    DOLMEN_TRY_VOID(storage_.commit(std::move(batch)));
    return reclaim(all, bytes);
  }

  Result<void> trim(const Stream& stream) {
    if (stream.ended) expect(*stream.ended);
    for (std::uint8_t shard = 0; shard < stream.shards; ++shard) DOLMEN_TRY_VOID(trim(stream, shard));
    return {};
  }

  Result<void> trim(const Stream& stream, std::uint8_t shard) {
    DOLMEN_TRY(const std::uint64_t first, first_number(storage_, stream.id, shard));
    DOLMEN_TRY(const std::uint64_t last, last_number(storage_, stream.id, shard));
    DOLMEN_TRY(const std::uint64_t kept, first_kept(stream, shard, first, last + 1));
    if (kept == first) return {};
    const Range old{record_key(stream.id, shard, first), record_key(stream.id, shard, kept)};
    DOLMEN_TRY(const std::uint64_t bytes, storage_.approximate_size(keyspaces::kStreams, old.view()));
    storage::Batch batch;
    batch.remove_range(keyspaces::kStreams, old.view());
    DOLMEN_TRY_VOID(storage_.commit(std::move(batch)));
    return reclaim(old, bytes);
  }

  /// The first of the numbers from `first` to `end` whose record is not old; `end` when all are. The times of records
  /// ascend with their numbers, but for the steps of the machine's clock.
  Result<std::uint64_t> first_kept(const Stream& stream, std::uint8_t shard, std::uint64_t first, std::uint64_t end) {
    // Usually nothing is old, and the first record says so.
    for (std::uint64_t middle = first; first < end; middle = first + (end - first) / 2) {
      DOLMEN_TRY(const bool kept, is_kept(record_key(stream.id, shard, middle)));
      if (kept) {
        end = middle;
      } else {
        first = middle + 1;
      }
    }
    return end;
  }

  Result<bool> is_kept(const std::string& key) {
    std::string bytes;
    DOLMEN_TRY(const bool exists, storage_.get(keyspaces::kStreams, key, bytes));
    // A crash while space was given back can leave older records that were removed before.
    if (!exists) return false;
    DOLMEN_TRY(const RecordView record, decode_record(bytes));
    if (is_old(record.created)) return false;
    expect(record.created);
    return true;
  }

  Result<void> reclaim(const Range& range, std::uint64_t bytes) {
    if (bytes < kReclaimedBytesMin) return {};
    DOLMEN_TRY_VOID(storage_.reclaim(keyspaces::kStreams, range.view(), stop_));
    return {};
  }

  storage::Storage& storage_;
  const TableTime now_;
  const std::stop_token& stop_;
  TableTime due_ = TableTime::max() - kRetention;
};

}  // namespace

Result<std::chrono::milliseconds> trim(storage::Storage& storage, TableTime now, const std::stop_token& stop) {
  Trimming trimming(storage, now, stop);
  DOLMEN_TRY_VOID(trimming.run());
  return trimming.pause();
}

}  // namespace dolmen::engine::streams
