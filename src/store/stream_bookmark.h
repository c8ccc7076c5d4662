#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

/// How far a shard has been read.
struct ShardPlace {
  enum class Kind : std::uint8_t {
    kOldest,  ///< nothing yet; begins with the oldest record
    kSince,   ///< nothing yet; begins with the first record that is not older than `since_s`
    kAfter,   ///< everything up to the record `number`
    kEnd,     ///< everything; there will be no more
  };

  std::string shard;
  Kind kind = Kind::kOldest;
  std::string number = {};
  std::int64_t since_s = 0;

  friend bool operator==(const ShardPlace&, const ShardPlace&) = default;
};

/// How far a stream has been read, as a text that can be saved:
///
///     1|ARN|SHARD=o|SHARD=s1763280000|SHARD=a100000000000000000007|SHARD=e
struct StreamBookmark {
  std::string arn;
  std::vector<ShardPlace> places;

  friend bool operator==(const StreamBookmark&, const StreamBookmark&) = default;
};

std::string bookmark_text(const StreamBookmark& bookmark);
/// Fails with kInvalidArgument.
Result<StreamBookmark> parse_bookmark(std::string_view text);

}  // namespace dolmen
