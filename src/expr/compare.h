#pragma once

#include <cstdint>

#include "dolmen/value.h"

namespace dolmen::expr {

enum class Order : std::uint8_t { kLess, kEqual, kGreater, kNone };

/// How two values are ordered. kNone for values of different types, and of types that have no order.
Order order_of(const AttributeValue& a, const AttributeValue& b);

}  // namespace dolmen::expr
