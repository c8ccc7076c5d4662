#pragma once

#include "cli/command_line.h"
#include "cli/run_words.h"

namespace dolmen::cli {

/// Adds the verb `demo`: sample data, made by the verbs that a user would type.
void add_demo(const Verb& program, MakeProgram make_program);

}  // namespace dolmen::cli
