#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "wire/operations.h"

namespace dolmen::wire {

/// The canonical form of a policy for the resource with the given ARN. Fails with kValidation, and with kAccessDenied
/// when the caller could not change the policy any more, unless `confirmed`.
Result<std::string> read_policy(std::string_view text, const Backend& backend, std::string_view arn, bool confirmed);

}  // namespace dolmen::wire
