#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `copy`.
void add_copy(const Verb& program);

/// Adds `copy` and `diff` below the verb `table`.
void add_table_copy_and_diff(const Verb& table);

}  // namespace dolmen::cli
