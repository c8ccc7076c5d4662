#pragma once

#include "dolmen/clock.h"

namespace dolmen {

/// Where the time comes from. Passed in wherever time matters, so that a test can stand still or jump.
/// Implementations may be called from any thread.
class Clock {
 public:
  using TimePoint = dolmen::TimePoint;

  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The machine's wall clock. Lives as long as the process.
const Clock& system_clock();

/// What was given, or the machine's wall clock when it is empty.
Now or_system_clock(Now given);

}  // namespace dolmen
