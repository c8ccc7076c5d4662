#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

enum class KeyOperator : std::uint8_t {
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kBeginsWith,
  kNotIndexable,  ///< allowed in KeyConditions, but a sorted index cannot answer it
};

/// What a query asks of one key attribute.
struct KeyCondition {
  std::string attribute;
  KeyOperator op = KeyOperator::kEqual;
  AttributeValue value;  ///< the lower bound of kBetween
  AttributeValue upper;  ///< of kBetween
};

/// The conditions of a bound key condition expression. Fails with kValidation, in DynamoDB's words, unless it consists
/// of conditions on different attributes, joined by AND, that a sorted index can answer.
Result<std::vector<KeyCondition>> key_conditions_of(const Node& condition);

}  // namespace dolmen::expr
