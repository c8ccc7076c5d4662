#pragma once

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// True when `item` satisfies a bound condition. A missing item is an empty one.
bool holds(const Node& condition, const Item& item);

}  // namespace dolmen::expr
