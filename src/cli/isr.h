#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `isr`, which looks at pages that regenerate, and purges them.
void add_isr(const Verb& program);

}  // namespace dolmen::cli
