#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "expr/key_condition.h"

namespace dolmen::engine {

/// Rows with lower <= key < upper.
struct KeyRange {
  std::string lower;
  std::string upper;
};

/// Checks the key conditions of a query against the keys of a table or index and converts them to a range of rows.
/// Fails with kValidation in DynamoDB's words.
Result<KeyRange> range_of_query(TableId id, const KeySchema& keys, const std::vector<expr::KeyCondition>& conditions);

/// The first key that does not begin with `prefix` and comes after all that do.
std::string after_prefix(std::string prefix);

/// The rows of a segment of a parallel scan: a range of the hash.
KeyRange segment_range(TableId id, std::uint32_t segment, std::uint32_t total);

}  // namespace dolmen::engine
