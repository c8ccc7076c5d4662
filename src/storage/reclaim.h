#pragma once

#include <cstdint>
#include <stop_token>

#include "dolmen/error.h"
#include "storage/database.h"
#include "storage/keyspace.h"

namespace dolmen::storage {

/// Deletes the files that hold nothing but keys of `range`, which costs no reading. Waits up to two seconds for the
/// snapshots that may still read them, and deletes nothing when there are any left.
Result<void> drop_files(const Database& database, Keyspace keyspace, KeyRangeView range, const std::stop_token& stop);

/// Rewrites the files that hold keys of `range` without the removed ones. Returns false when it was stopped.
Result<bool> compact(const Database& database, Keyspace keyspace, KeyRangeView range, const std::stop_token& stop);

/// The number of bytes that the file system of the database has free for this process.
Result<std::uint64_t> free_bytes_of(const Database& database);

}  // namespace dolmen::storage
