#pragma once

#include <string>

#include "dolmen/entity/range.h"
#include "dolmen/expression.h"
#include "entity/compiled.h"

namespace dolmen::entity {

/// The condition on the range key of an index that a range of an entity's properties means; empty for all of it.
/// Conditions without a value are left out. Fails with kInvalidArgument when the range key cannot say it, and with
/// kInvalidEntity for a value that no key holds.
Result<Condition> range_condition(const CompiledConfig& config, const CompiledEntity& entity,
                                  const CompiledIndex& index, const EntityRange& range);

}  // namespace dolmen::entity
