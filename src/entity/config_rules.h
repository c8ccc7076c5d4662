#pragma once

#include <vector>

#include "config/node.h"
#include "dolmen/entity/config.h"

namespace dolmen::entity {

/// What is wrong with a part of a config in its relation to others. Its position is not filled in.
struct CrossProblem {
  config::Problem problem;
  /// The path of the part that has to change, which is more than the problem's own path where that is of the whole
  /// config.
  std::string place;
};

std::vector<CrossProblem> cross_check(const EntityConfig& config, const EntityOptions& options);

}  // namespace dolmen::entity
