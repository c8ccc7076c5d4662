#pragma once

#include "dolmen/error.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// Checks the operands of one bound comparison or function (not of a connective): how many, that they differ, and the
/// types of those that are given as values.
Result<void> check_condition_operands(const Node& node);

/// The same for what an update action sets, adds or deletes.
Result<void> check_update_operands(const UpdateAction& action);

}  // namespace dolmen::expr
