#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dolmen::storage {

/// How many bytes at the end of a log belong to a record that was not written to its end. The log is in RocksDB's form:
/// blocks of 32 KiB with fragments of records in them. Zeros at the end, which are space that was reserved, count for
/// nothing. Does not look at checksums, which RocksDB checks itself.
std::uint64_t torn_bytes(std::string_view log);

/// The same for the newest log in RocksDB's folder; 0 when there is none or it cannot be read.
std::uint64_t torn_bytes_of_last_log(const std::filesystem::path& database);

}  // namespace dolmen::storage
