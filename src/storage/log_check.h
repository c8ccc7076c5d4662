#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "storage/options.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// Reads the list of files, the whole log and `options.verified_keyspaces` of a database, checks their checksums and
/// shows the log to `options.inspect_log`. Changes nothing on the disk and keeps nothing in memory.
///
/// Returns the number of records in the log. Fails with kCorruption and the damaged file's name, also when records are
/// missing between others, or with the error of `inspect_log`.
Result<std::uint64_t> check_log(const std::string& path, const rocksdb::Options& rocks,
                                const std::vector<std::string>& families, const Options& options);

}  // namespace dolmen::storage
