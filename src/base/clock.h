#pragma once

#include "dolmen/clock.h"

namespace dolmen {

/// A source of time. Passed in wherever time matters, so that a test can stop the time or let it jump.
/// Implementations may be called from any thread.
class Clock {
 public:
  using TimePoint = dolmen::TimePoint;

  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The machine's wall clock. Lives as long as the process.
const Clock& system_clock();

/// The given clock, or the machine's wall clock when `given` is empty.
Now or_system_clock(Now given);

}  // namespace dolmen
