#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "service/requests.h"
#include "value/json_types.h"

/// Helpers that convert legacy parameters to expressions. Each becomes the text of an expression in which every
/// attribute and every value is a placeholder, so that no name is taken for a reserved word or a path. A request cannot
/// have both legacy parameters and expressions, so these placeholders cannot collide with others.
namespace dolmen::wire {

/// The members of a JSON object in the order of the text. The last of several members with the same name counts.
std::vector<std::pair<std::string_view, json::Element>> members_of(json::Object object);

Result<AttributeValue> read_value(json::Element value);

/// Adds an attribute and returns its placeholder. Fails with kValidation when it is not a valid attribute name.
Result<std::string> add_name(expr::Placeholders& placeholders, std::string_view attribute);

/// Adds a value and returns its placeholder.
std::string add_value(expr::Placeholders& placeholders, AttributeValue value);

}  // namespace dolmen::wire
