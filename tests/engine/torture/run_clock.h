#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace dolmen::torture {

/// Stands still, so that nothing expires unless the run wants it. Times to live lie half a step away from every moment
/// at which the clock can stand, so that small changes of them do not matter.
class RunClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::seconds(seconds())); }

  /// Since 1970.
  [[nodiscard]] std::int64_t seconds() const { return kStart + steps_ * kStep; }
  /// A time that comes with the `steps`-th step from now.
  [[nodiscard]] std::int64_t seconds_after(std::int64_t steps) const { return seconds() + steps * kStep - kStep / 2; }
  void step() { ++steps_; }

 private:
  /// In the year 2033.
  static constexpr std::int64_t kStart = 2'000'000'000;
  static constexpr std::int64_t kStep = 1'000'000;

  std::atomic<std::int64_t> steps_ = 0;
};

}  // namespace dolmen::torture
