#pragma once

#include <chrono>
#include <string>

namespace dolmen {

/// The time since the machine was started, also while it slept. It passes evenly, whatever is done to the wall clock.
std::chrono::nanoseconds time_since_boot();

/// Names this run of the machine's operating system; empty when that is unknown.
std::string boot_name();

}  // namespace dolmen
