#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/reference/grammar.h"

namespace dolmen::reference {

/// Of those functions that are conditions by themselves.
bool is_condition_function(const std::string& name);
/// Whether it is one of any kind.
bool is_function(const std::string& name);

/// What DynamoDB asks of the operands of a comparison, a function, a sum or an action before it sees an item: how many,
/// of which types, and that the first is not repeated.
bool good_operands(const Term& term);

/// No path is, or lies inside, another, and none goes into a map where another goes into a list.
bool all_apart(const std::vector<Steps>& paths);

/// Negative, zero or positive; nothing for values that have no order.
std::optional<int> compare_values(const AttributeValue& a, const AttributeValue& b);

}  // namespace dolmen::reference
