#pragma once

#include <cstdint>
#include <string>

#include "dolmen/value.h"

namespace dolmen {

/// What keeps a value from being a vector of so many 32-bit floats, such as "found 2 elements" or "found BOOL at [3]";
/// empty when nothing does.
std::string vector_breach(std::int64_t dimensions, const AttributeValue& value);

}  // namespace dolmen
