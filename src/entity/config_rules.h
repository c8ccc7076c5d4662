#pragma once

#include <vector>

#include "config/node.h"
#include "dolmen/entity/config.h"

namespace dolmen::entity {

/// A contradiction between a part of a config and others. Its position is not set.
struct CrossProblem {
  config::Problem problem;
  /// The path of the part that must change, which is more precise than the problem's own path when that is the whole
  /// config.
  std::string place;
};

std::vector<CrossProblem> cross_check(const EntityConfig& config, const EntityOptions& options);

}  // namespace dolmen::entity
