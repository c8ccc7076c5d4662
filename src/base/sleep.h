#pragma once

#include <chrono>
#include <stop_token>

#include "dolmen/clock.h"

namespace dolmen {

/// Stops the calling thread for so long.
void sleep_for(std::chrono::milliseconds time);

/// The same, or until a stop is requested.
void sleep_unless_stopped(std::chrono::milliseconds time, const std::stop_token& stop);

/// What was given, or `sleep_for` when it is empty.
Sleep or_real_sleep(Sleep given);

}  // namespace dolmen
