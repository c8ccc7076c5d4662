#pragma once

#include "scenario/world.h"

namespace dolmen::scenario {

/// Compares what came of a step, and the item that is then stored, with what the step expects. A step that expects
/// nothing must succeed. Fails with kInvalidArgument and what is different.
Result<void> check(const LogicalItem& step, const Outcome& outcome, World& world);

/// Keeps what `save` and `save_cursor` of a step name: attributes of the item that it was about, as they are now
/// stored, and where the next page begins. Does nothing for a step that failed.
Result<void> save_variables(const LogicalItem& step, const Outcome& outcome, World& world);

}  // namespace dolmen::scenario
