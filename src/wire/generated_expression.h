#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "service/requests.h"
#include "value/json_types.h"

/// What the legacy parameters have in common on their way to expressions: each becomes the text of one, in which every
/// attribute and every value is a placeholder. So no name is a reserved word or a path, whatever characters it has.
/// Legacy parameters and expressions exclude each other in a request, and so these placeholders meet no others.
namespace dolmen::wire {

/// The members of a JSON object in the order of the text. Of those with the same name the last one counts.
std::vector<std::pair<std::string_view, json::Element>> members_of(json::Object object);

Result<AttributeValue> read_value(json::Element value);

/// Adds an attribute and returns its placeholder. Fails with kValidation when no attribute can have that name.
Result<std::string> add_name(expr::Placeholders& placeholders, std::string_view attribute);

/// Adds a value and returns its placeholder.
std::string add_value(expr::Placeholders& placeholders, AttributeValue value);

}  // namespace dolmen::wire
