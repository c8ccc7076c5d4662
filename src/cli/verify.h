#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `verify` and `repair`.
void add_verify_and_repair(const Verb& program);

}  // namespace dolmen::cli
