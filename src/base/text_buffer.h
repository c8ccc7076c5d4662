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
  explicit TextBuffer(std::string& out) : out_(out), used_(out.size()) {}
  ~TextBuffer() { out_.resize(used_); }
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  /// Space for up to `count` bytes. The caller then passes the end of what it wrote to `written`.
  char* room(std::size_t count) {
    if (out_.size() - used_ < count) grow(count);
    return out_.data() + used_;
  }
  void written(const char* end) { used_ = static_cast<std::size_t>(end - out_.data()); }

  void append(char c) {
    *room(1) = c;
    ++used_;
  }
  void append(std::string_view text) {
    std::copy_n(text.data(), text.size(), room(text.size()));
    used_ += text.size();
  }

 private:
  /// Rare, and not inlined, so that `room` can be.
  [[gnu::noinline]] void grow(std::size_t count) {
    constexpr std::size_t kStep = 256;
    const std::size_t size = std::max({used_ + count + kStep, out_.size() + out_.size() / 2, out_.capacity()});
    // The new bytes need not be cleared.
    out_.resize_and_overwrite(size, [](char*, std::size_t whole) { return whole; });
  }

  std::string& out_;
  std::size_t used_;
};

}  // namespace dolmen
