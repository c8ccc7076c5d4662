#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "expr/key_condition.h"
#include "service/requests.h"
#include "wire/parameters.h"

/// The conditions from before there were expressions. Each is about one top-level attribute: a comparison operator and
/// its arguments. Failures are kValidation with DynamoDB's texts.
namespace dolmen::wire {

/// Reads Expected, with ConditionalOperator, as a condition. Nothing when it is absent or empty.
Result<std::optional<Expression>> read_expected(const Parameters& parameters, expr::Placeholders& placeholders);

/// Reads QueryFilter or ScanFilter, with ConditionalOperator, as a condition. Nothing when it is absent or empty.
Result<std::optional<Expression>> read_filter(const Parameters& parameters, std::string_view name,
                                              expr::Placeholders& placeholders);

/// Reads KeyConditions, which must be there. An operator that no index can answer is the table's to refuse.
Result<std::vector<expr::KeyCondition>> read_key_conditions(const Parameters& parameters);

}  // namespace dolmen::wire
