#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `isr`: status, purge, mark-stale, list, sweep, versions and restore.
void add_isr(const Verb& program);

}  // namespace dolmen::cli
