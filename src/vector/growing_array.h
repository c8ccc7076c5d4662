#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "vector/zeroed_memory.h"

namespace dolmen::vector {

/// Zeroed elements that never move, in blocks of which each is as large as all before it. One thread grows it; others
/// may use the elements that they know of from that thread. For plain numbers and atomics, of which zeros are a value.
template <class T, std::size_t kFirst = 1024>
class GrowingArray {
 public:
  static_assert(std::has_single_bit(kFirst));

  GrowingArray() = default;
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;
  ~GrowingArray() {
    for (std::size_t block = 0; block < kBlocks; ++block) free_zeroed(blocks_[block], length_of(block) * sizeof(T));
  }

  /// Makes room for `size` elements. False when there is no memory.
  [[nodiscard]] bool grow(std::size_t size) {
    while (size_ < size) {
      const std::size_t block = block_of(size_);
      blocks_[block] = allocate_zeroed(length_of(block) * sizeof(T));
      if (blocks_[block] == nullptr) return false;
      size_ += length_of(block);
    }
    return true;
  }
  T& operator[](std::size_t index) const {
    const std::size_t block = block_of(index);
    return reinterpret_cast<T*>(blocks_[block])[block == 0 ? index : index ^ std::bit_floor(index)];
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kBlocks = 24;
  static std::size_t block_of(std::size_t index) { return static_cast<std::size_t>(std::bit_width(index / kFirst)); }
  static std::size_t length_of(std::size_t block) { return block == 0 ? kFirst : kFirst << (block - 1); }

  std::size_t size_ = 0;
  std::array<std::byte*, kBlocks> blocks_{};
};

}  // namespace dolmen::vector
