#pragma once

#include <vector>

#include "dolmen/operations.h"

namespace dolmen {

/// A temporary reason: others were writing the same item, or the store was overloaded.
bool is_passing(const TransactFailure& failure);

/// Whether a transaction that was cancelled for these reasons may succeed when it is repeated unchanged.
bool may_try_again(const std::vector<TransactFailure>& failures);

}  // namespace dolmen
