#include "access/failure_brake.h"

#include <algorithm>

namespace dolmen::access {

std::chrono::milliseconds FailureBrake::failed(std::string_view address, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (failures_.size() >= kAddressesMax)
    std::erase_if(failures_, [&](const auto& entry) { return now - entry.second.latest > kForgottenAfter; });
  // Whoever has that many addresses is not stopped by this.
  if (failures_.size() >= kAddressesMax) failures_.clear();
  Failures& failures = failures_[std::string(address)];
  if (now - failures.latest > kForgottenAfter) failures.count = 0;
  failures.latest = now;
  if (++failures.count <= kFreeFailures) return std::chrono::milliseconds(0);
  constexpr unsigned kDoublingsMax = 10;
  return std::min(kFirstWait * (1U << std::min(failures.count - kFreeFailures - 1, kDoublingsMax)), kWaitMax);
}

}  // namespace dolmen::access
