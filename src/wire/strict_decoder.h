#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::wire {

/// What a member must be for a decoder that reads a request once, from front to back.
enum class DecodedKind : std::uint8_t { kString, kI32, kSequence, kMap };

struct DecodedMember {
  std::string_view name;
  DecodedKind kind;
  /// Null stands for one that is absent, unless it is required.
  bool required = false;
};

/// Newer operations of DynamoDB decode their requests in one pass and say where they stopped:
///
///     invalid type: null, expected a string at line 1 column 17          SerializationException
///     missing field `TableName` at line 1 column 2                       ValidationException
///
/// Checks the members of the object `body`, which is JSON, in its order, then what is missing in the order of
/// `members`. Other members are skipped. A column is the number of bytes of the line up to the end of the value.
Result<void> check_decoding(std::string_view body, std::span<const DecodedMember> members);

}  // namespace dolmen::wire
