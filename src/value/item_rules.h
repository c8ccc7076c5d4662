#pragma once

#include <cstddef>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/value.h"

namespace dolmen {

/// Checks a tree for what DynamoDB asks of values and C++ types alone do not give: text is UTF-8, names are not empty
/// and not too long, sets are not empty, at most 32 levels. Fails with kValidation; the path of the value is in the
/// error's details.
Result<void> check_item_rules(const Item& item);

/// The part of it that concerns the name of one attribute, at any level. The name must be UTF-8.
Result<void> check_attribute_name(std::string_view name);

/// The size of an encoded item. Fails with kValidation when it is too large to be put.
Result<std::size_t> check_item_size(std::string_view item);

}  // namespace dolmen
