#include "storage/crc32c.h"

#include <array>
#include <cstddef>

namespace dolmen::storage {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // Reflected.
constexpr std::size_t kStride = 8;

using CrcTables = std::array<std::array<std::uint32_t, 256>, kStride>;

/// tables[k][b] is the checksum of the byte b followed by k zero bytes.
constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < kStride; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}

constexpr CrcTables kCrcTables = make_crc_tables();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) noexcept {
  std::uint32_t crc = ~before;
  const auto* next = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= kStride; left -= kStride, next += kStride) {
    const std::uint32_t low =
        crc ^ (next[0] | std::uint32_t{next[1]} << 8 | std::uint32_t{next[2]} << 16 | std::uint32_t{next[3]} << 24);
    crc = kCrcTables[7][low & 0xff] ^ kCrcTables[6][(low >> 8) & 0xff] ^ kCrcTables[5][(low >> 16) & 0xff] ^
          kCrcTables[4][low >> 24] ^ kCrcTables[3][next[4]] ^ kCrcTables[2][next[5]] ^ kCrcTables[1][next[6]] ^
          kCrcTables[0][next[7]];
  }
  for (; left > 0; --left, ++next) crc = (crc >> 8) ^ kCrcTables[0][(crc ^ *next) & 0xff];
  return ~crc;
}

}  // namespace dolmen::storage
