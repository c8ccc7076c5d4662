#pragma once

#include "dolmen/error.h"
#include "value/json_types.h"
#include "wire/service_model.h"

/// The first two stages of DynamoDB's validation, driven by the service model. They use only the JSON of a request.
namespace dolmen::wire {

/// Stage 1, deserialisation: every known member has the JSON type of its shape. Members that the model does not know
/// are ignored; null is the same as absent. Fails with kSerialization.
Result<void> check_types(const Shape& shape, json::Element input);

/// Stage 2, constraints: presence, lengths, ranges, patterns, enumerations. All violations (at most ten, as DynamoDB
/// does) are collected into one kValidation error. The types must have been checked.
Result<void> check_constraints(const Shape& shape, json::Element input);

}  // namespace dolmen::wire
