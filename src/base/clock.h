#pragma once

#include <chrono>

namespace dolmen {

/// Where the time comes from. Passed in wherever time matters, so that a test can stand still or jump.
/// Implementations may be called from any thread.
class Clock {
 public:
  using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The machine's wall clock. Lives as long as the process.
const Clock& system_clock();

}  // namespace dolmen
