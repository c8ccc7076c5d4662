#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace dolmen {

/// Appends many small pieces to a string. The string must not be used during the buffer's lifetime; the destructor cuts
/// it to what was written. A piece must not lie in the string itself, which moves when it grows.
class TextBuffer {
 public:
  explicit TextBuffer(std::string& out) : out_(out), at_(out.data() + out.size()), end_(at_) {}
  ~TextBuffer() { out_.resize(used()); }
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
  void append(std::string_view text) { at_ = std::copy_n(text.data(), text.size(), room(text.size())); }

 private:
  [[nodiscard]] std::size_t used() const { return static_cast<std::size_t>(at_ - out_.data()); }

  /// Rare, and not inlined, so that `room` can be.
  [[gnu::noinline]] void grow(std::size_t count) {
    constexpr std::size_t kStep = 256;
    const std::size_t before = used();
    const std::size_t size = std::max({before + count + kStep, out_.size() + out_.size() / 2, out_.capacity()});
    // The new bytes need not be cleared.
    out_.resize_and_overwrite(size, [](char*, std::size_t whole) { return whole; });
    at_ = out_.data() + before;
    end_ = out_.data() + out_.size();
  }

  std::string& out_;
  char* at_;   ///< where the next piece begins
  char* end_;  ///< of what the string has
};

}  // namespace dolmen
