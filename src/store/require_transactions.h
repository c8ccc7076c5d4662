#pragma once

#include <string_view>

#include "dolmen/operations.h"
#include "dolmen/store.h"

namespace dolmen {

/// Asks the store for a transaction that only makes this check, which holds. Fails with kUnsupported when the store has
/// no transactions; the message ends with `what_for`, such as "keep documents and their indexes together". Fails also
/// as `transact_write` does.
Result<void> require_transactions(Store& store, const CheckAction& check, std::string_view what_for);

}  // namespace dolmen
