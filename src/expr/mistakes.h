#pragma once

#include "dolmen/error.h"

namespace dolmen::expr {

/// Carried by kValidation, for a caller that words it in its own way: the conditions of a key condition expression are
/// valid one by one, but not as a condition on keys. The message does not name the expression's parameter.
struct KeyConditionMistake final : ErrorPayload {};

}  // namespace dolmen::expr
