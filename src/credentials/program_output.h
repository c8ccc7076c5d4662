#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>

#include "dolmen/error.h"

namespace dolmen {

struct ProgramLimits {
  /// From its start to its end.
  std::chrono::milliseconds patience = std::chrono::seconds(60);
  /// What a program that is stopped gets to end by itself.
  std::chrono::milliseconds grace = std::chrono::seconds(1);
  std::size_t output_bytes_max = std::size_t{1} << 20;
};

/// Runs a command of the shell, without input, and returns what it prints when it ends well. Fails with kCredentials
/// when it does not end well, prints too much, takes too long, or `stop` is requested.
///
/// The command has a process group of its own, of which nothing is left: what it leaves behind when it ends is killed,
/// and when it must be stopped, all of it gets SIGTERM, and SIGKILL once the grace is over. So this returns after
/// `patience` and `grace` at the latest, and after `grace` when a stop is requested. Needs Linux 5.3 (pidfd_open).
Result<std::string> program_output(const std::string& command, const ProgramLimits& limits,
                                   const std::stop_token& stop);

}  // namespace dolmen
