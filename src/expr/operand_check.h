#pragma once

#include "dolmen/error.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// Checks the operands of one bound comparison or function (not of a connective): their number, that they differ, and
/// the types of those that are given as values.
Result<void> check_condition_operands(const Node& node);

/// The same for the operand of an update action.
Result<void> check_update_operands(const UpdateAction& action);

}  // namespace dolmen::expr
