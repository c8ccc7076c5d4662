#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `vector` with `search` and `stats`.
void add_vector(const Verb& program);

}  // namespace dolmen::cli
