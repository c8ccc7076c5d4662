#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `access`: the keys that may use a server.
void add_access(const Verb& program);

}  // namespace dolmen::cli
