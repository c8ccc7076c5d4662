#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "engine/catalogue.h"
#include "engine/stream_log.h"
#include "engine/table.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Brings the changes of tables with Kinesis destinations to files, in the form in which AWS puts them into a Kinesis
/// stream: one JSON object to a line. A stream arn:aws:kinesis:REGION:ACCOUNT:stream/NAME is the files
///
///     DIRECTORY/NAME-00000001.jsonl, NAME-00000002.jsonl, ...
///
/// of which the last one grows. The batch that changes an item also appends a record, as for a stream (stream_log.h),
/// so no change is missed; the record is removed once it is in the file. A crash in between brings it a second time,
/// as AWS may do; both have the same eventID.
class KinesisForwarder {
 public:
  /// A file that has reached this size is followed by another one.
  static constexpr std::uint64_t kFileBytes = std::uint64_t{64} << 20;

  struct Parts {
    storage::Storage& storage;
    const Catalogue& catalogue;
    std::string region;
    std::string account;
    std::filesystem::path directory;
  };

  explicit KinesisForwarder(Parts parts) : parts_(std::move(parts)) {}

  /// Why records for this stream would have nowhere to go; empty when they have.
  [[nodiscard]] std::string problem_with(std::string_view stream_arn) const;

  /// Forwards a part of what waits. True when more may wait.
  Result<bool> forward(const std::stop_token& stop);
  /// Whether a table has a destination, so that something may have to be forwarded.
  [[nodiscard]] bool has_destinations() const;

 private:
  Result<bool> forward(const Table& table, const KinesisTarget& target);
  Result<void> append(std::string_view stream_arn, std::string_view lines);

  Parts parts_;
};

/// Adds the records of a change for the table's active destination to the batch.
void stage_for_kinesis(storage::Batch& batch, const Table& table, const streams::Change& change);

/// Removes the records of a destination that have not been forwarded.
void forget_kinesis_records(storage::Batch& batch, const KinesisTarget& target);

}  // namespace dolmen::engine
