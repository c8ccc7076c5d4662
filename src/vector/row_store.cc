#include "vector/row_store.h"

#include <algorithm>

#include "base/check.h"
#include "vector/zeroed_memory.h"

namespace dolmen::vector {
namespace {

constexpr std::size_t kCacheLine = 64;

std::size_t round_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

}  // namespace

RowStore::RowStore(std::size_t dimensions) : dimensions_(dimensions), stride_(round_up(dimensions, 8)) {}

RowStore::~RowStore() {
  for (std::size_t block = 0; block < kBlocks; ++block) free_zeroed(blocks_[block], bytes_of(block));
}

std::size_t RowStore::bytes_of(std::size_t block) const {
  const std::size_t rows = rows_of(block);
  return rows * (stride_ + 1) * sizeof(float) + (rows >= 64 ? rows / 8 : 0);
}

std::size_t RowStore::bytes() const {
  const std::size_t end = this->end();
  return end * (stride_ + 1) * sizeof(float) + end / 8;
}

bool RowStore::grow(std::size_t end) {
  if (end <= end_.load(std::memory_order_relaxed)) return true;
  DOLMEN_CHECK(end <= kRowsMax, "a set has at most kRowsMax rows");
  const std::size_t last = block_of(static_cast<Row>(end - 1));
  for (std::size_t block = 0; block <= last; ++block) {
    if (blocks_[block] != nullptr) continue;
    std::byte* const memory = allocate_zeroed(bytes_of(block));
    if (memory == nullptr) return false;
    blocks_[block] = memory;
  }
  end_.store(end, std::memory_order_release);
  return true;
}

void RowStore::write(Row row, std::span<const float> vector, float measure) {
  float* const to = const_cast<float*>(floats(row));
  std::ranges::copy(vector, to);
  std::fill(to + dimensions_, to + stride_, 0.0F);
  *measure_at(row) = measure;
}

void RowStore::prefetch(Row row) const {
  const float* const floats = this->floats(row);
  // The hardware goes on by itself after a few lines.
  const std::size_t lines = std::min<std::size_t>(stride_ * sizeof(float) / kCacheLine + 1, 8);
  for (std::size_t line = 0; line < lines; ++line)
    __builtin_prefetch(reinterpret_cast<const std::byte*>(floats) + line * kCacheLine);
  __builtin_prefetch(measure_at(row));
}

std::atomic<std::uint64_t>& RowStore::word_of(std::size_t word) {
  if (word == 0) return first_word_;
  const auto row = static_cast<Row>(word * 64);
  const std::size_t block = block_of(row);
  auto* words =
      reinterpret_cast<std::atomic<std::uint64_t>*>(blocks_[block] + rows_of(block) * (stride_ + 1) * sizeof(float));
  return words[place_of(row) / 64];
}

}  // namespace dolmen::vector
