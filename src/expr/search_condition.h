#pragma once

#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// What a search for vectors asks of one attribute: that it has this value.
struct SearchCondition {
  std::string attribute;
  AttributeValue value;
};

/// The conditions of a bound search condition expression, in order; an attribute may occur twice. Fails with
/// kValidation, in DynamoDB's words, unless it consists of comparisons of top-level attributes by "=", joined by AND.
Result<std::vector<SearchCondition>> search_conditions_of(const Node& condition);

}  // namespace dolmen::expr
