#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "service/requests.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// The parameters of an operation that are expressions, and those that are legacy forms, in the order in which DynamoDB
/// lists them.
struct ExpressionForms {
  std::initializer_list<std::string_view> expressions;
  std::initializer_list<std::string_view> legacy;
};

/// The error for a request that has both forms.
std::unexpected<Error> mixed_forms(const std::vector<std::string_view>& legacy,
                                   const std::vector<std::string_view>& expressions);

/// Checks that a request does not mix expressions and legacy forms, and that it has no names or values without
/// expressions. Fails with kValidation.
Result<void> check_forms(const Parameters& parameters, const ExpressionForms& forms);

/// Reads ExpressionAttributeNames, of operations that have no ExpressionAttributeValues.
Result<expr::Placeholders> read_name_placeholders(const Parameters& parameters);

/// Reads ExpressionAttributeNames and ExpressionAttributeValues.
Result<expr::Placeholders> read_placeholders(const Parameters& parameters, const Layer& layer);

/// An expression, when it is given.
std::optional<Expression> read_expression(const Parameters& parameters, std::string_view name);

/// ProjectionExpression with its placeholders, or AttributesToGet, of an operation that has no other expressions.
Result<std::optional<Expression>> read_projection(const Parameters& parameters, expr::Placeholders& placeholders);

}  // namespace dolmen::wire
