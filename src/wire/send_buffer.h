#pragma once

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::wire {

/// Bytes to be sent, in order. Small pieces are collected; large ones are moved, not copied.
class SendBuffer {
 public:
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const {
    std::size_t bytes = 0;
    for (const std::string& piece : pieces_) bytes += piece.size();
    return bytes - sent_;
  }

  /// The string to append small pieces to.
  std::string& end() {
    if (pieces_.empty() || pieces_.back().size() >= kLarge) pieces_.emplace_back();
    return pieces_.back();
  }
  void append(std::string bytes) {
    if (bytes.size() < kLarge) {
      end().append(bytes);
    } else {
      pieces_.push_back(std::move(bytes));
    }
  }

  /// The first `count` bytes have been sent. What follows them stays where it is.
  void consume(std::size_t count) {
    sent_ += count;
    if (empty()) clear();
  }

  /// Frees the memory, unless it is small.
  void release() {
    constexpr std::size_t kKeptMax = 1024;
    if (!pieces_.empty() && pieces_.front().capacity() > kKeptMax) pieces_ = {};
  }

  /// Keeps the memory of the first piece.
  void clear() {
    sent_ = 0;
    if (pieces_.empty()) return;
    pieces_.resize(1);
    pieces_.front().clear();
  }

  [[nodiscard]] std::vector<boost::asio::const_buffer> buffers() const {
    std::vector<boost::asio::const_buffer> views;
    views.reserve(pieces_.size());
    std::size_t skipped = sent_;
    for (const std::string& piece : pieces_) {
      const std::size_t begin = std::min(skipped, piece.size());
      skipped -= begin;
      if (begin < piece.size()) views.push_back(boost::asio::buffer(piece) + begin);
    }
    return views;
  }

 private:
  static constexpr std::size_t kLarge = std::size_t{16} << 10;

  std::vector<std::string> pieces_;
  std::size_t sent_ = 0;  // bytes of the first pieces
};

}  // namespace dolmen::wire
