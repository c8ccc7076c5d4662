#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace dolmen::entity {

/// Temporary memory for making keys, which usually fits into the object itself.
class KeyMemory {
 public:
  // Not `= default`: the room is not initialised, because little of it is used.
  KeyMemory() {}  // NOLINT(modernize-use-equals-default)
  KeyMemory(const KeyMemory&) = delete;
  KeyMemory& operator=(const KeyMemory&) = delete;

  /// Memory for so many values, which the caller makes.
  template <class T>
    requires std::is_trivially_destructible_v<T>
  std::span<T> room(std::size_t count) {
    return {reinterpret_cast<T*>(allocate(count * sizeof(T))), count};
  }
  /// Room for `bytes` bytes.
  char* text(std::size_t bytes) { return reinterpret_cast<char*>(allocate(bytes)); }

 private:
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);

  std::byte* allocate(std::size_t bytes) {
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (rounded > room_.size() - used_) [[unlikely]]
      return allocate_more(bytes);
    return room_.data() + std::exchange(used_, used_ + rounded);
  }
  [[gnu::noinline]] std::byte* allocate_more(std::size_t bytes) {
    return more_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
  }

  alignas(kAlignment) std::array<std::byte, 4096> room_;
  std::size_t used_ = 0;
  /// What did not fit.
  std::vector<std::unique_ptr<std::byte[]>> more_;
};

}  // namespace dolmen::entity
