#pragma once

#include <vector>

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// The part of an item that paths name. Paths that lead nowhere are left out; elements of a list close up. No two paths
/// may overlap or conflict.
Item project(const Item& item, const std::vector<Path>& paths);

}  // namespace dolmen::expr
