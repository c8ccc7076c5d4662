#pragma once

#include <string>

#include "dolmen/table.h"
#include "entity/compiled.h"

namespace dolmen::entity {

/// The table that the entities of a config live in: the global keys, and a global index for each of the config's.
TableDefinition table_of(const CompiledConfig& config, std::string name);

}  // namespace dolmen::entity
