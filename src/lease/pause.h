#pragma once

#include <algorithm>

#include "dolmen/lease.h"

namespace dolmen {

/// The moment `time` later: the same moment when the time is negative, the last possible moment when it is too long.
inline LeaseClock::Moment later(LeaseClock::Moment from, std::chrono::milliseconds time) {
  const auto left = std::chrono::floor<std::chrono::milliseconds>(LeaseClock::Moment::max() - from);
  return time < left ? from + std::max(time, std::chrono::milliseconds{0}) : LeaseClock::Moment::max();
}

/// Waits until a moment.
inline void pause(const LeaseClock& clock, LeaseClock::Moment until) {
  std::mutex nobody_else;
  std::condition_variable nobody_calls;
  std::unique_lock lock(nobody_else);
  while (clock.steady_now() < until) clock.wait_until(lock, nobody_calls, until);
}

}  // namespace dolmen
