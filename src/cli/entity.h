#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `dolmen entity`, which leaves its exit code in `exit_code`.
void add_entity(const Verb& program);

}  // namespace dolmen::cli
