#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verbs below "table": list, create, describe, update and delete.
void add_table(const Verb& program);

}  // namespace dolmen::cli
