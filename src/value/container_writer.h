#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "value/encoded_item.h"

namespace dolmen {

inline constexpr std::size_t kContainerLengthBytes = 4;

/// The length that precedes a container's body; 0 when the bytes are too few for one.
inline std::size_t container_length(std::string_view bytes) noexcept {
  std::uint32_t length = 0;
  if (bytes.size() < kContainerLengthBytes) return 0;
  for (std::size_t i = 0; i < kContainerLengthBytes; ++i)
    length |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return length;
}

inline void put_container_length(char* at, std::size_t length) noexcept {
  for (std::size_t i = 0; i < kContainerLengthBytes; ++i)
    at[i] = static_cast<char>(static_cast<unsigned char>(length >> (8 * i)));
}

/// Writes the tag and the length of a list, map or set before everything that is appended to `out` in its lifetime.
class ContainerWriter {
 public:
  ContainerWriter(std::string& out, ValueTag tag) : out_(out) {
    out_.push_back(static_cast<char>(tag));
    body_ = out_.size() + kContainerLengthBytes;
    out_.resize(body_);
  }
  ~ContainerWriter() { put_container_length(out_.data() + body_ - kContainerLengthBytes, out_.size() - body_); }
  ContainerWriter(const ContainerWriter&) = delete;
  ContainerWriter& operator=(const ContainerWriter&) = delete;

 private:
  std::string& out_;
  std::size_t body_ = 0;
};

}  // namespace dolmen
