#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `generate` to the verb `model`: the models of a DMS file as source code.
void add_model_generate(const Verb& model);

}  // namespace dolmen::cli
