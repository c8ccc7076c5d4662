#include "storage/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

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

/// The register after more bytes, as the checksum has it between its inversions at the beginning and at the end.
std::uint32_t add_by_tables(std::uint32_t crc, const char* bytes, std::size_t left) noexcept {
  const auto* next = reinterpret_cast<const unsigned char*>(bytes);
  for (; left >= kStride; left -= kStride, next += kStride) {
    const std::uint32_t low =
        crc ^ (next[0] | std::uint32_t{next[1]} << 8 | std::uint32_t{next[2]} << 16 | std::uint32_t{next[3]} << 24);
    crc = kCrcTables[7][low & 0xff] ^ kCrcTables[6][(low >> 8) & 0xff] ^ kCrcTables[5][(low >> 16) & 0xff] ^
          kCrcTables[4][low >> 24] ^ kCrcTables[3][next[4]] ^ kCrcTables[2][next[5]] ^ kCrcTables[1][next[6]] ^
          kCrcTables[0][next[7]];
  }
  for (; left > 0; --left, ++next) crc = (crc >> 8) ^ kCrcTables[0][(crc ^ *next) & 0xff];
  return crc;
}

#if defined(__x86_64__)
/// The processor needs three cycles for eight bytes and can begin with others in each of them, so three stripes are
/// added up side by side.
constexpr std::size_t kStripe = 256;

/// Moves a register over kStripe zero bytes: by its four bytes. What becomes of each bit decides about all of them.
constexpr std::array<std::array<std::uint32_t, 256>, 4> make_stripe_tables() {
  std::array<std::uint32_t, 32> moved{};
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    std::uint32_t crc = std::uint32_t{1} << bit;
    for (std::size_t i = 0; i < kStripe; ++i) crc = (crc >> 8) ^ kCrcTables[0][crc & 0xff];
    moved[bit] = crc;
  }
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  for (std::uint32_t place = 0; place < 4; ++place)
    for (std::uint32_t byte = 0; byte < 256; ++byte)
      for (std::uint32_t bit = 0; bit < 8; ++bit)
        if (((byte >> bit) & 1) != 0) tables[place][byte] ^= moved[8 * place + bit];
  return tables;
}

std::uint32_t over_stripe(std::uint32_t crc) noexcept {
  static constexpr auto kTables = make_stripe_tables();
  return kTables[0][crc & 0xff] ^ kTables[1][(crc >> 8) & 0xff] ^ kTables[2][(crc >> 16) & 0xff] ^
         kTables[3][crc >> 24];
}

[[gnu::target("sse4.2")]] std::uint32_t add_eight(std::uint64_t crc, const char* bytes) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return static_cast<std::uint32_t>(__builtin_ia32_crc32di(crc, word));
}

[[gnu::target("sse4.2")]] std::uint32_t add_by_processor(std::uint32_t crc, const char* next,
                                                         std::size_t left) noexcept {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  for (; left >= 3 * kStripe; left -= 3 * kStripe, next += 3 * kStripe) {
    std::uint32_t second = 0;
    std::uint32_t third = 0;
    for (std::size_t i = 0; i < kStripe; i += kWord) {
      crc = add_eight(crc, next + i);
      second = add_eight(second, next + kStripe + i);
      third = add_eight(third, next + 2 * kStripe + i);
    }
    crc = over_stripe(over_stripe(crc) ^ second) ^ third;
  }
  for (; left >= kWord; left -= kWord, next += kWord) crc = add_eight(crc, next);
  return add_by_tables(crc, next, left);
}

bool has_instruction() noexcept {
  static const bool has = __builtin_cpu_supports("sse4.2");
  return has;
}
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) noexcept {
#if defined(__x86_64__)
  if (has_instruction()) return ~add_by_processor(~before, bytes.data(), bytes.size());
#endif
  return ~add_by_tables(~before, bytes.data(), bytes.size());
}

}  // namespace dolmen::storage

#if defined(DOLMEN_REPLACES_CHECKSUM)
/// Takes the place of RocksDB's function of this name, as a program may replace any function of a shared library.
/// Debian builds RocksDB for the oldest processors, so its own uses tables: they took 8 % of the CPU of a
/// BatchWriteItem.
namespace rocksdb::crc32c {
// NOLINTBEGIN(readability-identifier-naming): the name is RocksDB's.
[[gnu::visibility("default")]] std::uint32_t Extend(std::uint32_t crc, const char* data, std::size_t n);

std::uint32_t Extend(std::uint32_t crc, const char* data, std::size_t n) {
  return dolmen::storage::crc32c({data, n}, crc);
}
// NOLINTEND(readability-identifier-naming)
}  // namespace rocksdb::crc32c
#endif
