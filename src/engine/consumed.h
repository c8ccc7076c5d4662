#pragma once

#include <vector>

#include "service/requests.h"

namespace dolmen::engine {

/// Adds what an operation consumed to what others on the same table did.
void add_capacity(std::vector<ConsumedCapacity>& all, ConsumedCapacity more);

}  // namespace dolmen::engine
