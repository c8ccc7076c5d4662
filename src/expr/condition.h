#pragma once

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// True when `item` satisfies a bound condition. A missing item is an empty one.
bool holds(const Node& condition, const Item& item);
/// The same; adds to `work` how much was done, in operands looked at and in blocks of bytes searched.
bool holds(const Node& condition, const Item& item, std::uint64_t& work);

}  // namespace dolmen::expr
