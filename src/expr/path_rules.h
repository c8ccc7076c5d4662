#pragma once

#include <span>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// Fails with kValidation when paths are equal, lie inside each other, or treat one place both as a map and as a list.
Result<void> check_apart(const std::vector<const Path*>& paths);

/// Adds every path of a bound expression to `paths`, in the order of the text.
void collect_paths(const Node& node, std::vector<const Path*>& paths);
void collect_paths(const UpdateAction& action, std::vector<const Path*>& paths);

/// The names of the attributes in which the paths begin, sorted, each once.
std::vector<std::string> attributes_of(std::span<const Path* const> paths);

}  // namespace dolmen::expr
