#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "storage/batch.h"
#include "storage/keyspace.h"

namespace dolmen::storage {

/// Values of rows of one keyspace that were read more than once lately: reading them again need not search the write
/// buffer and the files. It takes a bounded amount of memory. Any thread may use it.
///
/// It never has a value that is older than what the store shows. A row is not here while it is being written, and what
/// was read before the end of a write is not kept after it:
///
///   a reader   `find`; when that finds nothing, reads the store and calls `keep`
///   a writer   `begin` before its batch may become visible, and `Writing::end` once it is, or has failed
///
/// Each row has one place, by its hash, and takes it from another row when it has been looked for twice, so that rows
/// that are read once do not drive out others. A row that is here and is written stays, with its new value.
class RowCache {
 public:
  static constexpr std::size_t kPlaces = std::size_t{1} << 15;
  /// Beside copying a larger value, searching for it costs little.
  static constexpr std::size_t kValueBytesMax = std::size_t{8} << 10;

  /// `bytes_max` bounds the keys and values, which come beside a megabyte and a half of places. The seed of the hashes
  /// is to be random, so that nobody can choose keys that want the same place.
  RowCache(Keyspace keyspace, std::size_t bytes_max, std::uint64_t seed);
  ~RowCache();
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;

  [[nodiscard]] Keyspace keyspace() const { return keyspace_; }

  /// Where and when a row was not found.
  struct Miss {
    std::uint64_t hash = 0;
    std::uint32_t version = 0;
    bool keeps = false;  ///< `keep` would keep its value.
  };

  /// Copies the value into `value` and returns true, or says in `miss` what `keep` needs.
  bool find(std::string_view key, std::string& value, Miss& miss);
  /// Keeps what the store had after `find` missed it, unless somebody has been writing there since.
  void keep(const Miss& miss, std::string_view key, std::string_view value);

 private:
  /// A row and its value, in one piece of memory.
  struct Row {
    std::uint64_t hash = 0;
    std::uint32_t key_bytes = 0;
    std::uint32_t value_bytes = 0;
    std::unique_ptr<char[]> bytes;  ///< null: no row

    static Row make(std::uint64_t hash, std::string_view key, std::string_view value);
    [[nodiscard]] std::string_view key() const { return {bytes.get(), key_bytes}; }
    [[nodiscard]] std::string_view value() const { return {bytes.get() + key_bytes, value_bytes}; }
    [[nodiscard]] bool is(std::uint64_t other_hash, std::string_view other_key) const {
      return bytes != nullptr && hash == other_hash && key() == other_key;
    }
    [[nodiscard]] std::size_t size() const { return bytes == nullptr ? 0 : key_bytes + value_bytes; }
  };
  struct Place;
  class Visit;

 public:
  /// The rows that a batch writes, from `begin` to `end`. The cache must outlive it.
  class Writing {
   public:
    Writing() = default;
    Writing(Writing&& other) noexcept;
    Writing& operator=(Writing&&) = delete;
    ~Writing() { end(false); }

    [[nodiscard]] bool has_any() const { return !rows_.empty() || ranges_ > 0; }
    /// `written` tells that the batch is visible.
    void end(bool written);

   private:
    friend class RowCache;
    struct Written {
      std::uint64_t hash = 0;
      std::uint32_t version = 0;
      Row row;  ///< What it becomes, if it is to stay.
    };

    RowCache* cache_ = nullptr;  ///< Null once it has ended.
    std::vector<Written> rows_;
    std::uint32_t ranges_ = 0;  ///< How many ranges it removes. Every place may have rows of them.
  };

  [[nodiscard]] Writing begin(const Batch& batch);

  void describe(metrics::Report& report) const;

 private:
  class Beginning;

  [[nodiscard]] std::uint64_t hash_of(std::string_view key) const;
  [[nodiscard]] Place& place_of(std::uint64_t hash) const;
  /// Drops rows that have not been read lately, until there is room for so many more bytes.
  void make_room(std::size_t bytes);
  /// The row that was there, which is best freed when the visit to the place is over.
  [[nodiscard]] Row exchange(Place& place, Row row);
  void begin_row(Writing& writing, std::string_view key, const std::string_view* value);
  void begin_ranges(Writing& writing, std::span<const KeyRangeView> ranges);
  void end_row(Writing::Written& written, bool visible);
  void end_ranges(std::uint32_t ranges);

  const Keyspace keyspace_;
  const std::size_t bytes_max_;
  const std::uint64_t seed_;
  const std::unique_ptr<Place[]> places_;
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::size_t> hand_ = 0;  ///< Where `make_room` looks next.
  metrics::Counter hits_;
  metrics::Counter misses_;
};

}  // namespace dolmen::storage
