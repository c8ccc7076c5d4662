#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dolmen::storage {

/// The number of bytes at the end of a log that belong to an incomplete record. The log has RocksDB's format: blocks of
/// 32 KiB that hold fragments of records. Zeros at the end are reserved space and are not counted. Does not check
/// checksums, which RocksDB does.
std::uint64_t torn_bytes(std::string_view log);

/// The same for the newest log in RocksDB's folder; 0 when no log exists or it cannot be read.
std::uint64_t torn_bytes_of_last_log(const std::filesystem::path& database);

}  // namespace dolmen::storage
