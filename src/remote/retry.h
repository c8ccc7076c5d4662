#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "dolmen/remote.h"
#include "service/operations.h"

namespace dolmen::remote {

/// A put or delete has the same effect again. So has an update that only sets attributes to given values, removes
/// attributes, or adds to and deletes from sets. A write that returns the old item must not be repeated: it would
/// return its own first result.
Repeat repeat_of(const WriteRequest& request, const RetryOptions& options);

/// A SELECT changes nothing. Statements that write are not repeated: an INSERT would find its own item.
Repeat repeat_of(const ExecuteStatementRequest& request);
Repeat repeat_of(const BatchExecuteRequest& request);

/// The effect of repeating a request of the operation.
template <class Op>
Repeat repeat_of(const typename Op::Request& request, const RetryOptions& options) {
  if constexpr (Op::kInfo.family == OperationFamily::kItems && !Op::kInfo.reads()) return repeat_of(request, options);
  if constexpr (Op::kInfo.family == OperationFamily::kStatements && Op::kInfo.repeat == Repeat::kNever)
    return repeat_of(request);
  if (Op::kInfo.family == OperationFamily::kBatches && !Op::kInfo.reads() && !options.repeat_writes)
    return Repeat::kNever;
  return Op::kInfo.repeat;
}

/// The wait before the attempt after `attempts`: a random part (full jitter) of a time that doubles.
std::chrono::milliseconds backoff(const RetryOptions& options, int attempts, std::uint64_t random);

/// What all calls of a store may spend on repetitions. Thread-safe.
class RetryBudget {
 public:
  explicit RetryBudget(int capacity) : capacity_(capacity), left_(capacity) {}

  /// False when there is not enough left.
  bool take(int cost);
  void give_back(int amount);

 private:
  std::mutex left_mutex_;
  const int capacity_;
  int left_;
};

inline constexpr int kRetryCost = 5;
inline constexpr int kTimeoutRetryCost = 10;
inline constexpr int kSuccessWithoutRetry = 1;

}  // namespace dolmen::remote
