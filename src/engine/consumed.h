#pragma once

#include <vector>

#include "service/requests.h"

namespace dolmen::engine {

/// Adds what an operation consumed to the entry of its table.
void add_capacity(std::vector<ConsumedCapacity>& all, ConsumedCapacity more);

}  // namespace dolmen::engine
