#pragma once

#include "dolmen/error.h"
#include "value/json_types.h"
#include "wire/service_model.h"

namespace dolmen::wire {

/// Null when the structure has no such member.
const Member* find_member(const Shape& shape, std::string_view name);

/// The first stage of DynamoDB's validation, driven by the service model: every known member has the JSON type of its
/// shape. Members that the model does not know are ignored; null is the same as absent. Fails with kSerialization.
Result<void> check_types(const Shape& shape, json::Element input);

}  // namespace dolmen::wire
