#pragma once

#include <vector>

#include "entity/config_rules.h"

namespace dolmen::entity {

/// What keeps a config from becoming a table of DynamoDB.
std::vector<CrossProblem> table_problems(const EntityConfig& config);

}  // namespace dolmen::entity
