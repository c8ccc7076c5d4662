#include "storage/row_cache.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "base/hash.h"

namespace dolmen::storage {

struct RowCache::Place {
  std::atomic_flag busy;
  bool used = false;          ///< Its row was read since `make_room` last passed.
  std::uint32_t writers = 0;  ///< How many batches that write a row of this place have begun and not ended.
  std::uint32_t version = 0;  ///< Changes with each of them.
  std::uint64_t wanted = 0;   ///< The hash of the row that was last looked for in vain.
  Row row;
};

/// Keeps others away from a place, for as long as it takes to copy a value.
class RowCache::Visit {
 public:
  explicit Visit(Place& place) : place_(place) {
    while (place_.busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~Visit() { place_.busy.clear(std::memory_order_release); }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Place& place_;
};

RowCache::Row RowCache::Row::make(std::uint64_t hash, std::string_view key, std::string_view value) {
  Row row{.hash = hash,
          .key_bytes = static_cast<std::uint32_t>(key.size()),
          .value_bytes = static_cast<std::uint32_t>(value.size()),
          .bytes = std::make_unique_for_overwrite<char[]>(key.size() + value.size())};
  std::memcpy(row.bytes.get(), key.data(), key.size());
  std::memcpy(row.bytes.get() + key.size(), value.data(), value.size());
  return row;
}

RowCache::RowCache(Keyspace keyspace, std::size_t bytes_max, std::uint64_t seed)
    : keyspace_(keyspace), bytes_max_(bytes_max), seed_(seed), places_(std::make_unique<Place[]>(kPlaces)) {}

RowCache::~RowCache() = default;

std::uint64_t RowCache::hash_of(std::string_view key) const { return hash64(key, seed_); }

RowCache::Place& RowCache::place_of(std::uint64_t hash) const { return places_[hash % kPlaces]; }

bool RowCache::find(std::string_view key, std::string& value, Miss& miss) {
  const std::uint64_t hash = hash_of(key);
  Place& place = place_of(hash);
  bool found = false;
  {
    const Visit visit(place);
    found = place.row.is(hash, key);
    if (found) {
      place.used = true;
      value.assign(place.row.value());
    } else {
      miss = {.hash = hash, .version = place.version, .keeps = place.writers == 0 && place.wanted == hash};
      place.wanted = hash;
    }
  }
  (found ? hits_ : misses_).add();
  return found;
}

void RowCache::keep(const Miss& miss, std::string_view key, std::string_view value) {
  if (!miss.keeps || value.size() > kValueBytesMax || key.size() + value.size() > bytes_max_) return;
  Row row = Row::make(miss.hash, key, value);
  make_room(row.size());
  Place& place = place_of(miss.hash);
  const Visit visit(place);
  if (place.writers == 0 && place.version == miss.version) row = exchange(place, std::move(row));
}

RowCache::Row RowCache::exchange(Place& place, Row row) {
  bytes_.fetch_add(row.size(), std::memory_order_relaxed);
  bytes_.fetch_sub(place.row.size(), std::memory_order_relaxed);
  place.used = false;
  return std::exchange(place.row, std::move(row));
}

void RowCache::make_room(std::size_t bytes) {
  // In one round each row is asked whether it was used, and in the next one it goes.
  for (std::size_t looks = 0; looks < 2 * kPlaces; ++looks) {
    if (bytes_.load(std::memory_order_relaxed) + bytes <= bytes_max_) return;
    Place& place = places_[hand_.fetch_add(1, std::memory_order_relaxed) % kPlaces];
    Row dropped;
    const Visit visit(place);
    if (!std::exchange(place.used, false)) dropped = exchange(place, {});
  }
}

/// Finds the rows that a batch writes.
class RowCache::Beginning {
 public:
  Beginning(RowCache& cache, Writing& writing) : cache_(cache), writing_(writing) {}

  void put(Keyspace keyspace, std::string_view key, std::string_view value) {
    if (is_cached(keyspace)) cache_.begin_row(writing_, key, &value);
  }
  void remove(Keyspace keyspace, std::string_view key) {
    if (is_cached(keyspace)) cache_.begin_row(writing_, key, nullptr);
  }
  void remove_range(Keyspace keyspace, KeyRangeView range) {
    if (is_cached(keyspace)) ranges_.push_back(range);
  }
  // Rows of counters and numbered rows are in keyspaces that are not cached, and what is rewritten keeps its value.
  void add(Keyspace, std::string_view, std::string_view) {}
  void remove_counters(Keyspace, std::string_view) {}
  void append(Keyspace, Keyspace, std::string_view, std::string_view) {}
  void rewrite(Keyspace, std::string_view) {}
  void log_data(std::string_view) {}

  /// Rows that are in a range as well do not stay, whichever came first.
  void end() {
    if (!ranges_.empty()) cache_.begin_ranges(writing_, ranges_);
  }

 private:
  [[nodiscard]] bool is_cached(Keyspace keyspace) const { return keyspace.index == cache_.keyspace_.index; }

  RowCache& cache_;
  Writing& writing_;
  std::vector<KeyRangeView> ranges_;
};

RowCache::Writing RowCache::begin(const Batch& batch) {
  Writing writing;
  writing.cache_ = this;
  Beginning beginning(*this, writing);
  batch.replay(beginning);
  beginning.end();
  return writing;
}

void RowCache::begin_row(Writing& writing, std::string_view key, const std::string_view* value) {
  Writing::Written& written = writing.rows_.emplace_back();
  written.hash = hash_of(key);
  Place& place = place_of(written.hash);
  Row before;
  {
    const Visit visit(place);
    ++place.writers;
    written.version = ++place.version;
    if (place.row.hash == written.hash) before = exchange(place, {});
  }
  const bool stays = before.bytes != nullptr && value != nullptr && value->size() <= kValueBytesMax;
  if (stays) written.row = Row::make(written.hash, key, *value);
}

/// Looks at each place once, however many ranges there are.
void RowCache::begin_ranges(Writing& writing, std::span<const KeyRangeView> ranges) {
  writing.ranges_ = static_cast<std::uint32_t>(ranges.size());
  for (std::size_t i = 0; i < kPlaces; ++i) {
    Place& place = places_[i];
    Row dropped;
    const Visit visit(place);
    place.writers += writing.ranges_;
    ++place.version;
    if (place.row.bytes == nullptr) continue;
    const std::string_view key = place.row.key();
    const auto has_key = [&](KeyRangeView range) { return key >= range.lower && key < range.upper; };
    if (std::ranges::any_of(ranges, has_key)) dropped = exchange(place, {});
  }
}

void RowCache::end_row(Writing::Written& written, bool visible) {
  const bool stays = visible && written.row.bytes != nullptr;
  if (stays) make_room(written.row.size());
  Place& place = place_of(written.hash);
  const Visit visit(place);
  --place.writers;
  // The last of several batches that write the row is not known otherwise.
  if (stays && place.writers == 0 && place.version == written.version)
    written.row = exchange(place, std::move(written.row));
}

void RowCache::end_ranges(std::uint32_t ranges) {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const Visit visit(places_[i]);
    places_[i].writers -= ranges;
  }
}

RowCache::Writing::Writing(Writing&& other) noexcept
    : cache_(std::exchange(other.cache_, nullptr)), rows_(std::move(other.rows_)), ranges_(other.ranges_) {}

void RowCache::Writing::end(bool written) {
  RowCache* const cache = std::exchange(cache_, nullptr);
  if (cache == nullptr) return;
  for (Written& row : rows_) cache->end_row(row, written);
  if (ranges_ > 0) cache->end_ranges(ranges_);
}

void RowCache::describe(metrics::Report& report) const {
  report.counter("dolmen_row_cache_hits_total", "Rows that were read from memory, without a search", hits_.value());
  report.counter("dolmen_row_cache_misses_total", "Rows that had to be searched for", misses_.value());
  report.gauge("dolmen_row_cache_bytes", "Memory for rows that are read often", static_cast<double>(bytes_.load()));
}

}  // namespace dolmen::storage
