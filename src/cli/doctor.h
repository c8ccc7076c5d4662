#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `doctor`, which reads tables and says what will hurt.
void add_doctor(const Verb& program);

}  // namespace dolmen::cli
