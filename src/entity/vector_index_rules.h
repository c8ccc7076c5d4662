#pragma once

#include <vector>

#include "entity/config_rules.h"

namespace dolmen::entity {

/// What the vector indexes of a config contradict: its other parts, and what DynamoDB takes.
std::vector<CrossProblem> vector_index_problems(const EntityConfig& config);

}  // namespace dolmen::entity
