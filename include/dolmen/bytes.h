#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace dolmen {

/// A sequence of bytes that is not text. Ordered as DynamoDB orders binary values: byte by byte, unsigned.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::string data) : data_(std::move(data)) {}

  [[nodiscard]] std::string_view view() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return data_.size(); }
  [[nodiscard]] bool empty() const noexcept { return data_.empty(); }

  friend bool operator==(const Bytes&, const Bytes&) = default;
  friend std::strong_ordering operator<=>(const Bytes& a, const Bytes& b) noexcept { return a.data_ <=> b.data_; }

 private:
  std::string data_;
};

}  // namespace dolmen
