#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace dolmen::storage {

/// Remembers a number for each of the rows that were written lately, for a writer that needs to know no more of a row
/// than that. It takes a megabyte, once something is remembered: a row takes the place of another. Any thread may use
/// it; who writes a row holds a lock of its own meanwhile, so that what is remembered is never that of an earlier
/// version:
///
///   before the batch that changes the row is committed   forget
///   once it is visible (Batch::when_visible)             keep
class RowNotes {
 public:
  static constexpr std::size_t kRows = std::size_t{1} << 16;

  /// A row by the hash of its key, with a secret seed, so that nobody can choose two keys that are taken for one row.
  /// That they are by chance is as likely as that a checksum of 64 bits misses damage. Nothing is remembered of a row
  /// with a longer key than this: XXH3 mixes longer inputs in another way, in which pairs of keys can be found that
  /// many seeds do not tell apart.
  static constexpr std::size_t kKeyBytesMax = 240;
  enum class Row : std::uint64_t {};

  RowNotes();
  ~RowNotes();
  RowNotes(const RowNotes&) = delete;
  RowNotes& operator=(const RowNotes&) = delete;

  [[nodiscard]] Row row(std::string_view key) const;

  /// Nothing when it is not known.
  [[nodiscard]] std::optional<std::uint32_t> find(Row row) const;
  void keep(Row row, std::uint32_t note);
  void forget(Row row);

 private:
  /// A few rows, in a cache line of their own.
  struct Bucket;
  class Visit;

  /// Null when nothing is remembered.
  [[nodiscard]] Bucket* bucket_of(Row row) const;

  const std::uint64_t seed_;
  std::mutex making_;
  std::atomic<Bucket*> buckets_ = nullptr;  ///< Made when they are first needed.
};

}  // namespace dolmen::storage
