#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace dolmen {

/// Copies a text, most often a short one, for which this takes less than a call. Returns the end of the copy.
inline char* copy_text(char* to, std::string_view text) {
  const std::size_t size = text.size();
  const char* const from = text.data();
  // Two pieces of constant length cover the text; in the middle they overlap.
  const auto in_two = [&](auto piece) {
    std::memcpy(to, from, piece);
    std::memcpy(to + size - piece, from + size - piece, piece);
  };
  if (size > 16) {
    std::memcpy(to, from, size);
  } else if (size >= 8) {
    in_two(std::integral_constant<std::size_t, 8>());
  } else if (size >= 4) {
    in_two(std::integral_constant<std::size_t, 4>());
  } else if (size >= 2) {
    in_two(std::integral_constant<std::size_t, 2>());
  } else if (size == 1) {
    *to = *from;
  }
  return to + size;
}

/// Appends many small pieces to a string. The string must not be used during the buffer's lifetime; the destructor cuts
/// it to what was written. A piece must not lie in the string itself, which moves when it grows.
class TextBuffer {
 public:
  explicit TextBuffer(std::string& out) : out_(out), at_(out.data() + out.size()), end_(at_) {}
  ~TextBuffer() { out_.resize(size()); }
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  /// Space for up to `count` bytes. The caller then passes the end of what it wrote to `written`.
  char* room(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) < count) grow(count);
    return at_;
  }
  void written(char* end) { at_ = end; }

  void append(char c) {
    *room(1) = c;
    ++at_;
  }
  void append(std::string_view text) { at_ = copy_text(room(text.size()), text); }

  /// How long the string is with what was written.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - out_.data()); }
  /// Drops everything behind the first `size` bytes.
  void cut(std::size_t size) { at_ = out_.data() + size; }
  /// The string so far; may move with the next piece.
  [[nodiscard]] char* data() { return out_.data(); }

 private:
  /// Rare, and not inlined, so that `room` can be.
  [[gnu::noinline]] void grow(std::size_t count) {
    constexpr std::size_t kStep = 256;
    const std::size_t before = size();
    const std::size_t wanted = std::max({before + count + kStep, out_.size() + out_.size() / 2, out_.capacity()});
    // The new bytes need not be cleared.
    out_.resize_and_overwrite(wanted, [](char*, std::size_t whole) { return whole; });
    at_ = out_.data() + before;
    end_ = out_.data() + out_.size();
  }

  std::string& out_;
  char* at_;   ///< where the next piece begins
  char* end_;  ///< of what the string has
};

}  // namespace dolmen
