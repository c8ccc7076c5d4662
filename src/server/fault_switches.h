#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/faults.h"

namespace dolmen {

/// The operations of Dolmen's own by which the fault lab of a running server is seen and switched (docs/testing.md).
/// Thread-safe.
class FaultSwitches {
 public:
  /// `lab` is null where nothing may go wrong on purpose; all operations fail then with kAccessDenied.
  explicit FaultSwitches(std::shared_ptr<FaultLab> lab) : lab_(std::move(lab)) {}

  /// True for DescribeFaults and UpdateFaults.
  [[nodiscard]] static bool is_operation(std::string_view operation);
  /// Whether it changes what happens to everybody's requests.
  [[nodiscard]] static bool changes(std::string_view operation);

  /// DescribeFaults: {} becomes {"seed": ..., "number": ..., "counts": {"throttle": 3}, "plan": {...}}. The plan is
  /// what UpdateFaults was last given; it is missing while that of the start holds.
  ///
  /// UpdateFaults: {"plan": {"seed": 42, "rules": [{"fault": "throttle", "probability": 0.1}]}}, a rule file as JSON,
  /// replaces all rules. Without rules nothing goes wrong any more. Fails with kInvalidArgument, and nothing changes.
  Result<std::string> execute(std::string_view operation, std::string_view body);

 private:
  Result<void> update(std::string_view body);
  [[nodiscard]] std::string describe();

  const std::shared_ptr<FaultLab> lab_;
  std::mutex plan_mutex_;
  std::string plan_;  ///< JSON; empty before the first update.
};

}  // namespace dolmen
