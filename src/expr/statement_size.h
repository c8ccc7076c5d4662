#pragma once

#include <cstddef>
#include <vector>

#include "expr/syntax.h"

namespace dolmen::expr {

/// What DynamoDB counts for the statement of an UpdateItem, which must not exceed the limit of an item. It follows from
/// the bound actions alone, not from the item: names and values that the statement writes, and a fixed cost for each
/// clause, operand and operator. What a path reads and what an operator computes costs nothing.
std::size_t statement_size(const std::vector<UpdateAction>& actions);

}  // namespace dolmen::expr
