#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `lease`: acquire, refresh, release, status, and `run`, which runs a command under a lease.
void add_lease(const Verb& program);

}  // namespace dolmen::cli
