#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "engine/stream_log.h"

/// The texts by which callers name streams, shards and places in them.
namespace dolmen::engine::streams {

/// The digit 1 and twenty digits of the number, so that texts sort as numbers do. Number 0 is the start of a shard.
std::string sequence_number(std::uint64_t number);
/// Nothing when the text is not a sequence number of Dolmen.
std::optional<std::uint64_t> number_of(std::string_view sequence_number);

/// "shardId-", the time at which the stream began, in milliseconds, and eight hexadecimal digits, which begin with the
/// number of the shard: the ids of a stream ascend as the shards do.
std::string shard_id(const Stream& stream, std::uint8_t shard);
/// Nothing when the stream has no such shard.
std::optional<std::uint8_t> shard_of(const Stream& stream, std::string_view id);

/// The parts of arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL.
struct ArnParts {
  std::string_view table_arn;
  std::string_view table;
  std::string_view label;
};
/// Fails with kValidation when the text does not have that form.
Result<ArnParts> parse_arn(std::string_view arn);

/// A place in a shard. The text of an iterator has everything that reading needs, so nothing is kept for it.
struct Place {
  std::string arn;
  std::uint8_t shard = 0;
  /// The number of the next record to read.
  std::uint64_t next = 1;
  TableTime issued;
};

/// ARN|1|base64 of the shard, the number and the time of issue.
std::string iterator_text(const Place& place);
/// Fails with kValidation.
Result<Place> parse_iterator(std::string_view text);

}  // namespace dolmen::engine::streams
