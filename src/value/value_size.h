#pragma once

#include <cstddef>

#include "dolmen/value.h"

namespace dolmen {

/// The size of an empty list or map; each element adds one byte.
inline constexpr std::size_t kContainerOverhead = 3;

/// The size of one value as DynamoDB counts it, without a name.
std::size_t value_size(const AttributeValue& value);

}  // namespace dolmen
