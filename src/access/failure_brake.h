#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace dolmen::access {

/// Slows down whoever tries keys: the answers to an address that has failed several times wait, longer each time.
/// Thread-safe.
class FailureBrake {
 public:
  using Clock = std::chrono::steady_clock;

  /// Counts a failure, and returns how long its answer must wait.
  std::chrono::milliseconds failed(std::string_view address, Clock::time_point now = Clock::now());

 private:
  static constexpr unsigned kFreeFailures = 5;
  static constexpr std::chrono::milliseconds kFirstWait{50};
  static constexpr std::chrono::milliseconds kWaitMax{2000};
  /// After this long without a failure an address begins anew.
  static constexpr std::chrono::seconds kForgottenAfter{60};
  static constexpr std::size_t kAddressesMax = 10'000;

  struct Failures {
    unsigned count = 0;
    Clock::time_point latest;
  };

  std::mutex mutex_;  // guards failures_
  std::unordered_map<std::string, Failures> failures_;
};

}  // namespace dolmen::access
