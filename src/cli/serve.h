#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `serve`, which runs until SIGTERM or SIGINT.
void add_serve(const Verb& program);

}  // namespace dolmen::cli
