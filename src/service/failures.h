#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "value/encoded_item.h"

namespace dolmen {

/// Carried by kConditionFailed: the item as it was, when the caller asked for it.
struct ConditionFailure final : ErrorPayload {
  std::optional<EncodedItem> item;
};

/// Why one action of a transaction was not carried out; code "None" when it was not to blame.
struct CancellationReason {
  std::string code = "None";
  std::string message;
  std::optional<EncodedItem> item;
};

/// Carried by kTransactionCanceled: one reason for each action, in order.
struct Cancellation final : ErrorPayload {
  std::vector<CancellationReason> reasons;
};

}  // namespace dolmen
