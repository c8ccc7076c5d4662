#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `bench`, which measures a store with a table of its own.
void add_bench(const Verb& program);

}  // namespace dolmen::cli
