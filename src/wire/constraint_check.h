#pragma once

#include "dolmen/error.h"
#include "value/json_types.h"
#include "wire/service_model.h"
#include "wire/texts.h"

namespace dolmen::wire {

/// The second stage of DynamoDB's validation, driven by the service model: presence, lengths, ranges, patterns,
/// enumerations. Violations (at most ten, as DynamoDB does) are collected into one kValidation error, as far as the
/// layer does. A request without a required parameter is always answered in the older layer. The types must have been
/// checked.
Result<void> check_constraints(const Shape& shape, const json::Members& input, const Layer& layer);

}  // namespace dolmen::wire
