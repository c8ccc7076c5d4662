#pragma once

#include <cstddef>
#include <string_view>

#include "base/limits.h"
#include "dolmen/error.h"
#include "dolmen/value.h"

namespace dolmen {

/// Checks the rules of DynamoDB that the C++ types do not enforce: text is UTF-8, names are not empty and not too long,
/// sets are not empty, values nest at most 32 levels deep. Fails with kValidation; the error's details hold the path of
/// the value.
Result<void> check_item_rules(const Item& item);

/// What is wrong with a name that `check_attribute_name` refuses.
std::unexpected<Error> wrong_attribute_name(std::string_view name);

/// The rules for the name of one attribute, at any level. The name must be UTF-8.
inline Result<void> check_attribute_name(std::string_view name) {
  if (name.empty() || name.size() > limits::kAttributeNameBytes) [[unlikely]]
    return wrong_attribute_name(name);
  return {};
}

/// The size of an encoded item. Fails with kValidation when it is larger than an item may be.
Result<std::size_t> check_item_size(std::string_view item);
/// The same for an item whose size is known.
Result<std::size_t> check_item_size(std::size_t size);

}  // namespace dolmen
