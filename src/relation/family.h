#pragma once

#include <string>

#include "relation/graph.h"

namespace dolmen::relation {

/// Relations::attach.
Result<bool> attach(Graph& graph, const std::string& child, const std::string& parent);

}  // namespace dolmen::relation
