#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace dolmen::wire {

/// Received bytes that have not been consumed. Grows as needed, and frees large memory once it is empty.
class ReceiveBuffer {
 public:
  [[nodiscard]] std::string_view view() const { return {bytes_.get() + begin_, end_ - begin_}; }
  [[nodiscard]] bool empty() const { return begin_ == end_; }

  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// Room at the end for more bytes, at least kSpareMin of it. The buffer does not grow much beyond `expected` bytes,
  /// if it is known how many will come.
  std::span<char> spare(std::optional<std::size_t> expected = std::nullopt) {
    if (capacity_ - end_ < kSpareMin) make_room(expected);
    return {bytes_.get() + end_, capacity_ - end_};
  }
  /// `count` bytes have been written to the spare room.
  void added(std::size_t count) { end_ += count; }

  /// Removes the first `count` bytes.
  void consume(std::size_t count) {
    begin_ += count;
    if (begin_ != end_) return;
    begin_ = end_ = 0;
    if (capacity_ > kKeptMax) release();
  }

  /// Frees the memory. Only when empty.
  void release() {
    bytes_.reset();
    capacity_ = 0;
  }

 private:
  static constexpr std::size_t kSpareMin = 4096;
  static constexpr std::size_t kFirst = 8192;
  static constexpr std::size_t kKeptMax = 65536;

  void make_room(std::optional<std::size_t> expected) {
    const std::size_t size = end_ - begin_;
    if (capacity_ < size + kSpareMin || size > capacity_ / 2) {
      const std::size_t doubled = expected ? std::min(2 * capacity_, *expected + kSpareMin) : 2 * capacity_;
      const std::size_t capacity = std::max({kFirst, doubled, size + kSpareMin});
      auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
      if (size > 0) std::memcpy(bytes.get(), bytes_.get() + begin_, size);
      bytes_ = std::move(bytes);
      capacity_ = capacity;
    } else if (size > 0) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, size);
    }
    begin_ = 0;
    end_ = size;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace dolmen::wire
