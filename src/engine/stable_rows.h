#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace dolmen::engine {

/// Values by row number, which never move, so that one thread can add rows while others read those that they know of.
/// Blocks double in size: a single row costs little, and growing copies nothing.
template <class T>
class StableRows {
 public:
  StableRows() = default;
  ~StableRows() {
    for (std::atomic<T*>& block : blocks_) delete[] block.load(std::memory_order_relaxed);
  }
  StableRows(const StableRows&) = delete;
  StableRows& operator=(const StableRows&) = delete;

  /// For one thread at a time. Makes the row when it is new.
  T& make(std::uint32_t row) {
    const Place place = place_of(row);
    std::atomic<T*>& block = blocks_[place.block];
    if (block.load(std::memory_order_relaxed) == nullptr)
      block.store(std::make_unique<T[]>(std::size_t{1} << place.block).release(), std::memory_order_release);
    return block.load(std::memory_order_relaxed)[place.offset];
  }

  /// A row that was made before, as the caller knows.
  [[nodiscard]] const T& at(std::uint32_t row) const {
    const Place place = place_of(row);
    return blocks_[place.block].load(std::memory_order_acquire)[place.offset];
  }

 private:
  struct Place {
    std::size_t block;
    std::size_t offset;
  };

  static Place place_of(std::uint32_t row) {
    const std::uint64_t number = std::uint64_t{row} + 1;
    const auto block = static_cast<std::size_t>(std::bit_width(number) - 1);
    return {.block = block, .offset = static_cast<std::size_t>(number - (std::uint64_t{1} << block))};
  }

  std::array<std::atomic<T*>, 33> blocks_{};
};

}  // namespace dolmen::engine
