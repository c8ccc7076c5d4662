#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `stream`: tail.
void add_stream(const Verb& program);

}  // namespace dolmen::cli
