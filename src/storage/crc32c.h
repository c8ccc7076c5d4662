#pragma once

#include <cstdint>
#include <string_view>

namespace dolmen::storage {

/// The checksum CRC-32C (Castagnoli) of `bytes`, continued from that of what stands before them. RocksDB uses it for
/// its log, too, where it is a shared library.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0) noexcept;

}  // namespace dolmen::storage
