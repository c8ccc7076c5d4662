#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen {

/// Enough bytes for every varint.
inline constexpr std::size_t kVarintBytes = 10;

/// Writes `value` as `append_varint` does to `out`, which has room for it. Returns its end.
inline char* write_varint(char* out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(static_cast<unsigned char>(value | 0x80));
  *out++ = static_cast<char>(value);
  return out;
}

/// Appends `value` in seven-bit groups, least significant first; values below 128 take one byte.
inline void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(value | 0x80)));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

/// Takes a varint from the front of `bytes`. Nothing when it is cut short, longer than 64 bits, or not in its
/// shortest form; `bytes` is then unspecified.
inline std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  // Most varints have one byte.
  if (!bytes.empty() && static_cast<unsigned char>(bytes.front()) < 0x80) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    return byte;
  }
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (shift == 63 && byte > 1) return std::nullopt;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      if (byte == 0 && shift != 0) return std::nullopt;
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace dolmen
