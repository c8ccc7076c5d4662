#pragma once

#include <string>
#include <vector>

#include "relation/graph.h"

/// Those that refer to a resource: its children, and the resources that have it as their account.
namespace dolmen::relation {

/// URNs of children, up to so many; 0: all.
Result<std::vector<std::string>> children_of(Graph& graph, const Row& row, std::uint32_t most = 0);

/// The index of accounts of a store elsewhere may lag behind.
Result<References> count_references(Graph& graph, const Row& row);

/// Fails with kResourceInUse, and says by how many.
Result<void> check_unused(Graph& graph, const Row& row);

}  // namespace dolmen::relation
