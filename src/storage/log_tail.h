#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::storage {

/// What a log holds. It has RocksDB's format: blocks of 32 KiB that hold fragments of records, each with a checksum.
struct LogExtent {
  /// The bytes up to the end of the last record that is whole, and before which all are.
  std::uint64_t whole_bytes = 0;
  /// The bytes after that: an incomplete record, which a power cut or a kill has left. Zeros at the end are reserved
  /// space and are not counted.
  std::uint64_t torn_bytes = 0;
  /// A record begins after one that is not whole. Each record is synced before the next is written, so a power cut does
  /// not leave this behind.
  bool has_hole = false;
};

/// Walks over a log and checks every checksum.
LogExtent measure_log(std::string_view log);

/// The same for a file.
Result<LogExtent> measure_log_file(const std::filesystem::path& path);

}  // namespace dolmen::storage
