#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `model` with what can be done to DMS files: `check`, `show`, `diff` and `generate`.
void add_model(const Verb& program);

}  // namespace dolmen::cli
