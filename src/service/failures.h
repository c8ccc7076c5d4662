#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// kTransactionCanceled in DynamoDB's words.
Error canceled_error(std::vector<CancellationReason> reasons);

/// The message of kTransactionConflict, and of the reason TransactionConflict.
inline constexpr std::string_view kConflictMessage = "Transaction is ongoing for the item";
/// The message of kTransactionInProgress.
inline constexpr std::string_view kInProgressMessage = "Transaction from previous request is still in progress";
/// The messages of kThrottled, of which the first is also that of the reason ProvisionedThroughputExceeded.
inline constexpr std::string_view kTableThrottledMessage =
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning "
    "level with the UpdateTable API.";
inline constexpr std::string_view kIndexThrottledMessage =
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was "
    "exceeded. "
    "Consider increasing your provisioning level for the under-provisioned global secondary indexes with the "
    "UpdateTable API";

}  // namespace dolmen
