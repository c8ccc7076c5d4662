#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace dolmen {

/// Converts a native integer to big-endian order and back. Big-endian integers sort as their bytes do.
template <std::unsigned_integral T>
constexpr T big_endian(T value) noexcept {
  if constexpr (std::endian::native == std::endian::big || sizeof(T) == 1) return value;
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}

/// Appends `value` to `out`, most significant byte first.
template <std::unsigned_integral T>
void append_big_endian(std::string& out, T value) {
  const T ordered = big_endian(value);
  char bytes[sizeof(T)];
  std::memcpy(bytes, &ordered, sizeof(T));
  out.append(bytes, sizeof(T));
}

/// Reads what `append_big_endian` wrote. `bytes` must hold at least sizeof(T) bytes.
template <std::unsigned_integral T>
T read_big_endian(std::string_view bytes) noexcept {
  T ordered;
  std::memcpy(&ordered, bytes.data(), sizeof(T));
  return big_endian(ordered);
}

}  // namespace dolmen
