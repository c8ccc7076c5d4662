#pragma once

#include <cstdint>

#include "dolmen/error.h"
#include "engine/stream_log.h"
#include "service/requests.h"
#include "storage/storage.h"

/// Reading the records of a shard.
namespace dolmen::engine::streams {

/// The number of the newest record, which may be trimmed; 0 when there never was one.
Result<std::uint64_t> last_number(const storage::Storage& storage, TableId stream, std::uint8_t shard);
/// The number of the oldest record that has not been trimmed; one more than the last number when there is none.
Result<std::uint64_t> first_number(const storage::Storage& storage, TableId stream, std::uint8_t shard);

/// The number of the first record that was made at `time` or later; one more than the last number when there is none.
/// The times of records ascend with their numbers, but for the steps of the machine's clock.
Result<std::uint64_t> first_since(const storage::Storage& storage, TableId stream, std::uint8_t shard, TableTime time);

/// A part of a shard to read.
struct Extract {
  std::uint8_t shard = 0;
  /// The number of the first record.
  std::uint64_t next = 1;
  std::size_t limit = 1000;
};

struct Records {
  std::vector<StreamChange> records;
  /// The number of the record that follows them.
  std::uint64_t next = 1;
  /// There is nothing more to read now.
  bool at_end = false;
};

/// Up to `limit` records and 1 MB, but at least one if there is any. The region of the records is left empty. Fails
/// with kStreamTrimmed when the first of them is gone, and with kValidation when it is further ahead than the next one
/// that will be written.
Result<Records> read(const storage::Storage& storage, const Stream& stream, const Extract& extract);

}  // namespace dolmen::engine::streams
