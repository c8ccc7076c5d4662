#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

/// Where time, chance and pauses come from. Options take them, so that a test can stop time, move it and repeat random
/// choices. An empty function means the machine's own. They may be called from any thread.
namespace dolmen {

/// A moment of the wall clock.
using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;
using Now = std::function<TimePoint()>;

/// Gives 64 random bits.
using RandomNumbers = std::function<std::uint64_t()>;

/// Returns when so much time has passed.
using Sleep = std::function<void(std::chrono::milliseconds)>;

}  // namespace dolmen
