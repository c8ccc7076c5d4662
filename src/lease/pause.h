#pragma once

#include "dolmen/lease.h"

namespace dolmen {

/// Lets time pass.
inline void pause(const LeaseClock& clock, LeaseClock::Moment until) {
  std::mutex nobody_else;
  std::condition_variable nobody_calls;
  std::unique_lock lock(nobody_else);
  while (clock.steady_now() < until) clock.wait_until(lock, nobody_calls, until);
}

}  // namespace dolmen
