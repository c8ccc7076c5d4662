#pragma once

#include <chrono>

#include "dolmen/clock.h"

namespace dolmen::document {

/// Pauses between the attempts of a write that others keep overtaking. They are random and become longer, so that many
/// writers of one document get out of each other's way. Lives for one write.
class Patience {
 public:
  Patience(const Sleep& sleep, const RandomNumbers& random) : sleep_(sleep), random_(random) {}

  /// Pauses before the next attempt. False, without a pause, when limits::kWriteWaitMax is used up.
  [[nodiscard]] bool pause();

 private:
  const Sleep& sleep_;
  const RandomNumbers& random_;
  std::chrono::milliseconds longest_{1};
  /// The longest that the pauses so far can have taken.
  std::chrono::milliseconds used_{0};
};

}  // namespace dolmen::document
