#pragma once

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// True when `item` satisfies a bound condition. A missing item is an empty one.
bool holds(const Node& condition, const Item& item);
/// The same; adds to `work` how much was done, in operands looked at and in blocks of bytes searched.
bool holds(const Node& condition, const Item& item, std::uint64_t& work);

/// The number of parts of a condition, each of which may look through a whole item.
std::size_t part_count(const Node& condition);
/// A condition with more parts may take longer than a network thread has time for: so many take some ten milliseconds
/// when each searches an item of the largest size.
inline constexpr std::size_t kQuickPartsMax = 30;

}  // namespace dolmen::expr
