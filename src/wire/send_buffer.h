#pragma once

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
    return bytes;
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

  /// Frees the memory, unless it is small.
  void release() {
    constexpr std::size_t kKeptMax = 1024;
    if (!pieces_.empty() && pieces_.front().capacity() > kKeptMax) pieces_ = {};
  }

  /// Keeps the memory of the first piece.
  void clear() {
    if (pieces_.empty()) return;
    pieces_.resize(1);
    pieces_.front().clear();
  }

  [[nodiscard]] std::vector<boost::asio::const_buffer> buffers() const {
    std::vector<boost::asio::const_buffer> views;
    views.reserve(pieces_.size());
    for (const std::string& piece : pieces_) views.push_back(boost::asio::buffer(piece));
    return views;
  }

 private:
  static constexpr std::size_t kLarge = std::size_t{16} << 10;

  std::vector<std::string> pieces_;
};

}  // namespace dolmen::wire
