#pragma once

#include <utility>

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

/// A clock that asks a function.
class GivenClock final : public Clock {
 public:
  /// The machine's wall clock when `now` is empty.
  explicit GivenClock(Now now) : now_(or_system_clock(std::move(now))) {}
  [[nodiscard]] TimePoint now() const override { return now_(); }

 private:
  const Now now_;
};

}  // namespace dolmen
