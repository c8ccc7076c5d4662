#pragma once

#include <optional>

#include "dolmen/error.h"
#include "service/requests.h"
#include "wire/parameters.h"

/// The legacy parameters that say which attributes to change and which to return. Failures are kValidation with
/// DynamoDB's messages.
namespace dolmen::wire {

/// Reads AttributeUpdates as an update. Nothing when it is absent or empty.
Result<std::optional<Expression>> read_attribute_updates(const Parameters& parameters,
                                                         expr::Placeholders& placeholders);

/// Reads AttributesToGet as a projection. Nothing when it is absent.
Result<std::optional<Expression>> read_attributes_to_get(const Parameters& parameters,
                                                         expr::Placeholders& placeholders);

}  // namespace dolmen::wire
