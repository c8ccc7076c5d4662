#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `sql`, which carries out a PartiQL statement.
void add_sql(const Verb& program);

}  // namespace dolmen::cli
