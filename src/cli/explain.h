#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `explain` with `get`, `query` and `scan`, which say what a read does and costs.
void add_explain(const Verb& program);

}  // namespace dolmen::cli
