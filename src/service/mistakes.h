#pragma once

#include "dolmen/error.h"

/// What errors about requests carry, for a caller that words them in its own way.
namespace dolmen {

/// Carried by kValidation: an expression of the request, or a placeholder that no expression uses, is wrong whatever
/// the table holds.
struct ExpressionMistake final : ErrorPayload {};

/// Carried by kValidation: the attributes of a start key are not those that a page of this read can end with.
struct StartKeyMistake final : ErrorPayload {};

}  // namespace dolmen
