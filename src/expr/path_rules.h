#pragma once

#include <vector>

#include "expr/syntax.h"

namespace dolmen::expr {

/// Adds every path of a bound expression to `paths`, in the order of the text.
void collect_paths(const Node& node, std::vector<const Path*>& paths);
void collect_paths(const UpdateAction& action, std::vector<const Path*>& paths);

}  // namespace dolmen::expr
