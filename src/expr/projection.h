#pragma once

#include <vector>

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// The parts of an item at the given paths. Paths that do not exist in the item are left out; list elements close up.
/// Paths must not overlap or conflict.
Item project(const Item& item, const std::vector<Path>& paths);

}  // namespace dolmen::expr
