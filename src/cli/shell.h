#pragma once

#include "cli/command_line.h"
#include "cli/run_words.h"

namespace dolmen::cli {

/// Adds the verb `shell`: statements and verbs, line by line, on a store that stays open.
void add_shell(const Verb& program, MakeProgram make_program);

}  // namespace dolmen::cli
