#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "vector/search.h"

namespace dolmen::vector {

/// The most rows of a set.
inline constexpr std::size_t kRowsMax = std::size_t{1} << 27;

/// Floats in rows, which never move. Memory comes in blocks: row 0 has the first, row 1 the second, rows 2 and 3 the
/// third, and each later block is as large as all before it. A large block costs memory only as its rows are written,
/// because the operating system gives pages when they are touched.
///
/// Row r is at place `r - bit_floor(r)` of block `bit_width(r)`. A block holds
///
///     rows x stride floats | rows x 1 float (the measure) | rows / 64 words (which rows are live)
///
/// where `stride` is the number of dimensions rounded up to 8, filled with zeros. The live bits of the first 64 rows,
/// which are in seven blocks, have a word of their own.
class RowStore {
 public:
  explicit RowStore(std::size_t dimensions);
  ~RowStore();
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;

  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  /// Readers look at rows below this only.
  [[nodiscard]] std::size_t end() const { return end_.load(std::memory_order_acquire); }
  /// Of the rows below `end`.
  [[nodiscard]] std::size_t bytes() const;

  /// Makes room for rows below `end`. One thread at a time. False when there is no memory.
  [[nodiscard]] bool grow(std::size_t end);

  /// Writes a row that nobody reads.
  void write(Row row, std::span<const float> vector, float measure);

  [[nodiscard]] const float* floats(Row row) const {
    return reinterpret_cast<const float*>(blocks_[block_of(row)] + place_of(row) * stride_ * sizeof(float));
  }
  /// A number that belongs to the row's vector; see `PreparedQuery`.
  [[nodiscard]] float measure(Row row) const { return *measure_at(row); }
  void prefetch(Row row) const;

  void set_live(Row row) { word_of(row / 64).fetch_or(bit(row), std::memory_order_release); }
  /// False when the row was not live.
  bool clear_live(Row row) {
    return (word_of(row / 64).fetch_and(~bit(row), std::memory_order_acq_rel) & bit(row)) != 0;
  }
  [[nodiscard]] bool is_live(Row row) const { return (live_word(row / 64) & bit(row)) != 0; }
  /// The live bits of the rows from 64 * `word`.
  [[nodiscard]] std::uint64_t live_word(std::size_t word) const {
    return const_cast<RowStore*>(this)->word_of(word).load(std::memory_order_acquire);
  }

 private:
  static constexpr std::size_t kBlocks = std::bit_width(kRowsMax);

  static std::uint64_t bit(Row row) { return std::uint64_t{1} << (row % 64); }
  static std::size_t block_of(Row row) { return static_cast<std::size_t>(std::bit_width(row)); }
  static std::size_t place_of(Row row) { return row ^ std::bit_floor(row); }
  static std::size_t rows_of(std::size_t block) { return block == 0 ? 1 : std::size_t{1} << (block - 1); }
  [[nodiscard]] std::size_t bytes_of(std::size_t block) const;
  [[nodiscard]] float* measure_at(Row row) const {
    const std::size_t block = block_of(row);
    return reinterpret_cast<float*>(blocks_[block] + rows_of(block) * stride_ * sizeof(float)) + place_of(row);
  }
  std::atomic<std::uint64_t>& word_of(std::size_t word);

  std::size_t dimensions_;
  std::size_t stride_;
  std::atomic<std::size_t> end_ = 0;
  std::atomic<std::uint64_t> first_word_ = 0;
  /// Written before `end_` covers their rows, never changed afterwards.
  std::array<std::byte*, kBlocks> blocks_{};
};

}  // namespace dolmen::vector
