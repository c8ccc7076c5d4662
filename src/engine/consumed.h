#pragma once

#include <vector>

#include "api/requests.h"

namespace dolmen {

/// Adds what an operation consumed to what others on the same table did.
void add_capacity(std::vector<ConsumedCapacity>& all, ConsumedCapacity more);

}  // namespace dolmen
