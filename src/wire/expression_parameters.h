#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "api/requests.h"
#include "dolmen/error.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// Which parameters of an operation are expressions, and which are their older forms, in the order in which DynamoDB
/// lists them.
struct ExpressionForms {
  std::initializer_list<std::string_view> expressions;
  std::initializer_list<std::string_view> legacy;
};

/// Expressions and their older forms exclude each other, and names and values are of no use without expressions. Fails
/// with kValidation.
Result<void> check_forms(const Parameters& parameters, const ExpressionForms& forms);

/// Reads ExpressionAttributeNames and ExpressionAttributeValues.
Result<expr::Placeholders> read_placeholders(const Parameters& parameters);

/// An expression, when it is given.
std::optional<Expression> read_expression(const Parameters& parameters, std::string_view name);

}  // namespace dolmen::wire
