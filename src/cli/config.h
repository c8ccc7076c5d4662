#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `config show`.
void add_config(const Verb& program);

}  // namespace dolmen::cli
