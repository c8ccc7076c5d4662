#pragma once

#include <vector>

#include "dolmen/operations.h"

namespace dolmen {

/// A reason that goes away by itself: others were at work on the same item, or the store asks for patience.
bool is_passing(const TransactFailure& failure);

/// Whether a transaction that was cancelled for these reasons may succeed when it is tried again as it is.
bool may_try_again(const std::vector<TransactFailure>& failures);

}  // namespace dolmen
