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

/// What a query's key conditions mean for a table or index.
struct QueryPlan {
  KeyRange range;
  /// Conditions that fix both the partition and every sort attribute leave at most one row.
  bool single_row = false;
};

/// Checks the conditions against the keys and converts them to a range of rows. Fails with kValidation in DynamoDB's
/// words.
Result<QueryPlan> plan_query(TableId id, const KeySchema& keys, const std::vector<expr::KeyCondition>& conditions);

/// The first key that does not begin with `prefix` and comes after all that do.
std::string after_prefix(std::string prefix);

/// The rows of a segment of a parallel scan: a range of the hash.
KeyRange segment_range(TableId id, std::uint32_t segment, std::uint32_t total);

}  // namespace dolmen::engine
