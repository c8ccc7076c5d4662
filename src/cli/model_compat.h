#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `model compat`, which says what a change of models would break.
void add_model_compat(const Verb& model);

}  // namespace dolmen::cli
