#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/reference/grammar.h"

namespace dolmen::reference {

/// True for functions that are conditions by themselves.
bool is_condition_function(const std::string& name);
/// True for every function.
bool is_function(const std::string& name);

/// DynamoDB's rules for the operands of a comparison, a function, a sum or an action that need no item: their number,
/// their types, and that the first is not repeated.
bool good_operands(const Term& term);

/// No path equals or lies inside another, and none treats as a map what another treats as a list.
bool all_apart(const std::vector<Steps>& paths);

/// Negative, zero or positive; nothing for values that have no order.
std::optional<int> compare_values(const AttributeValue& a, const AttributeValue& b);

}  // namespace dolmen::reference
