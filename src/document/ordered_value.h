#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/schema.h"

namespace dolmen::document {

/// The value of an indexed field in a form whose bytes sort as the values do: ints and floats by number (-0.0 is 0.0),
/// false before true, strings by their UTF-8. No value is a prefix of another. `json` is a scalar of `type` from a
/// valid document.
std::string ordered_value(FieldType type, std::string_view json);

/// A value of an index, followed by the `_id` of its document.
std::string entry_sort(std::string_view ordered, std::string_view id);

/// Why the value cannot be in an index; empty when it can.
std::string ordered_value_problem(std::string_view ordered);

}  // namespace dolmen::document
