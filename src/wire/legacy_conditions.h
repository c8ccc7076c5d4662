#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "expr/key_condition.h"
#include "service/requests.h"
#include "wire/parameters.h"

/// The legacy conditions. Each concerns one top-level attribute and has a comparison operator and its arguments.
/// Failures are kValidation with DynamoDB's messages.
namespace dolmen::wire {

/// Reads Expected, with ConditionalOperator, as a condition. Nothing when it is absent or empty.
Result<std::optional<Expression>> read_expected(const Parameters& parameters, expr::Placeholders& placeholders);

/// Reads QueryFilter or ScanFilter, with ConditionalOperator, as a condition. Nothing when it is absent or empty.
Result<std::optional<Expression>> read_filter(const Parameters& parameters, std::string_view name,
                                              expr::Placeholders& placeholders);

/// Reads KeyConditions, which must be present. The engine refuses an operator that no index can answer.
Result<std::vector<expr::KeyCondition>> read_key_conditions(const Parameters& parameters);

}  // namespace dolmen::wire
