#include "storage/row_notes.h"

#include <algorithm>
#include <array>
#include <thread>

#include "base/hash.h"
#include "base/random.h"

namespace dolmen::storage {
namespace {

constexpr std::size_t kRowsOfBucket = 4;
constexpr std::size_t kBuckets = RowNotes::kRows / kRowsOfBucket;
constexpr RowNotes::Row kNoRow{0};
/// Any row whose key is too long.
constexpr RowNotes::Row kLongRow{1};

}  // namespace

struct alignas(64) RowNotes::Bucket {
  std::atomic_flag busy;
  std::uint8_t next = 0;  ///< The place that the next new row takes.
  std::array<std::uint32_t, kRowsOfBucket> notes{};
  std::array<Row, kRowsOfBucket> rows{};

  /// The place of a row; kRowsOfBucket when it has none.
  [[nodiscard]] std::size_t place_of(Row row) const {
    return static_cast<std::size_t>(std::ranges::find(rows, row) - rows.begin());
  }
};

/// Keeps others away from a bucket, for a few instructions.
class RowNotes::Visit {
 public:
  explicit Visit(Bucket& bucket) : bucket_(bucket) {
    while (bucket_.busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~Visit() { bucket_.busy.clear(std::memory_order_release); }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Bucket& bucket_;
};

RowNotes::RowNotes() : seed_(system_random().next_u64()) {}

RowNotes::~RowNotes() { delete[] buckets_.load(); }

RowNotes::Row RowNotes::row(std::string_view key) const {
  if (key.size() > kKeyBytesMax) return kLongRow;
  const Row row{hash64(key, seed_)};
  return row == kNoRow || row == kLongRow ? Row{2} : row;
}

RowNotes::Bucket* RowNotes::bucket_of(Row row) const {
  Bucket* const buckets = buckets_.load(std::memory_order_acquire);
  return buckets == nullptr ? nullptr : &buckets[static_cast<std::uint64_t>(row) % kBuckets];
}

std::optional<std::uint32_t> RowNotes::find(Row row) const {
  Bucket* const bucket = row == kLongRow ? nullptr : bucket_of(row);
  if (bucket == nullptr) return std::nullopt;
  const Visit visit(*bucket);
  const std::size_t place = bucket->place_of(row);
  return place < kRowsOfBucket ? std::optional(bucket->notes[place]) : std::nullopt;
}

void RowNotes::keep(Row row, std::uint32_t note) {
  if (row == kLongRow) return;
  if (buckets_.load(std::memory_order_relaxed) == nullptr) {
    const std::scoped_lock lock(making_);
    if (buckets_.load() == nullptr)
      buckets_.store(std::make_unique<Bucket[]>(kBuckets).release(), std::memory_order_release);
  }
  Bucket& bucket = *bucket_of(row);
  const Visit visit(bucket);
  std::size_t place = bucket.place_of(row);
  if (place == kRowsOfBucket) place = bucket.place_of(kNoRow);
  if (place == kRowsOfBucket) place = bucket.next++ % kRowsOfBucket;
  bucket.rows[place] = row;
  bucket.notes[place] = note;
}

void RowNotes::forget(Row row) {
  Bucket* const bucket = bucket_of(row);
  if (bucket == nullptr) return;
  const Visit visit(*bucket);
  const std::size_t place = bucket->place_of(row);
  if (place < kRowsOfBucket) bucket->rows[place] = kNoRow;
}

}  // namespace dolmen::storage
