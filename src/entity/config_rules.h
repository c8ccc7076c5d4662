#pragma once

#include <vector>

#include "config/node.h"
#include "dolmen/entity_config.h"

namespace dolmen::entity {

/// What is wrong with the parts of a config in their relation to each other. The positions are not filled in.
std::vector<config::Problem> cross_check(const EntityConfig& config, const EntityOptions& options);

}  // namespace dolmen::entity
