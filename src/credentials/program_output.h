#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>

#include "dolmen/error.h"

namespace dolmen {

struct ProgramLimits {
  /// How long the program may run.
  std::chrono::milliseconds patience = std::chrono::seconds(60);
  /// How long a program that is stopped has to end by itself.
  std::chrono::milliseconds grace = std::chrono::seconds(1);
  std::size_t output_bytes_max = std::size_t{1} << 20;
};

/// Runs a shell command without input and returns its output when it exits with status 0. Fails with kCredentials when
/// it ends otherwise, prints too much, takes too long, or `stop` is requested.
///
/// The command has its own process group, of which no process survives: processes that it leaves behind when it ends
/// are killed. When it must be stopped, the whole group gets SIGTERM, and SIGKILL once the grace is over. This function
/// returns after `patience` and `grace` at the latest, and after `grace` when a stop is requested. Needs Linux 5.3
/// (pidfd_open).
Result<std::string> program_output(const std::string& command, const ProgramLimits& limits,
                                   const std::stop_token& stop);

}  // namespace dolmen
