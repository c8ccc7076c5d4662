#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "value/encoded_item.h"

namespace dolmen {

/// Carried by kConditionFailed: the unchanged item, when the caller asked for it.
struct ConditionFailure final : ErrorPayload {
  std::optional<EncodedItem> item;
};

/// Why one action of a transaction failed; code "None" when it was not the cause.
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
