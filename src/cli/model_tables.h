#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `model diff` and `model apply`, which compare live tables with what models need, and change them.
void add_model_tables(const Verb& model);

}  // namespace dolmen::cli
