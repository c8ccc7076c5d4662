#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "service/requests.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// Which parameters of an operation are expressions, and which are their older forms, in the order in which DynamoDB
/// lists them.
struct ExpressionForms {
  std::initializer_list<std::string_view> expressions;
  std::initializer_list<std::string_view> legacy;
};

/// What is said of a request that has both forms.
std::unexpected<Error> mixed_forms(const std::vector<std::string_view>& legacy,
                                   const std::vector<std::string_view>& expressions);

/// Expressions and their older forms exclude each other, and names and values are of no use without expressions. Fails
/// with kValidation.
Result<void> check_forms(const Parameters& parameters, const ExpressionForms& forms);

/// Reads ExpressionAttributeNames, of operations that have no ExpressionAttributeValues.
Result<expr::Placeholders> read_name_placeholders(const Parameters& parameters);

/// Reads ExpressionAttributeNames and ExpressionAttributeValues.
Result<expr::Placeholders> read_placeholders(const Parameters& parameters);

/// An expression, when it is given.
std::optional<Expression> read_expression(const Parameters& parameters, std::string_view name);

/// ProjectionExpression with its placeholders, or else AttributesToGet, of an operation that has no other expressions.
Result<std::optional<Expression>> read_projection(const Parameters& parameters, expr::Placeholders& placeholders);

}  // namespace dolmen::wire
