#pragma once

#include <chrono>
#include <stop_token>

#include "dolmen/clock.h"

namespace dolmen {

/// Suspends the calling thread for `time`.
void sleep_for(std::chrono::milliseconds time);

/// The same, or until a stop is requested.
void sleep_unless_stopped(std::chrono::milliseconds time, const std::stop_token& stop);

/// The given function, or `sleep_for` when `given` is empty.
Sleep or_real_sleep(Sleep given);

}  // namespace dolmen
