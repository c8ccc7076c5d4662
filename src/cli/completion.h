#pragma once

#include <string>

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `completion` and `help`, which know all verbs of the command line that are there when they run. `line` must
/// outlive its verbs, as it does.
void add_completion_and_help(const CommandLine& line, const Verb& program);

/// The script that completes verbs, options and the words of options in a shell: bash, zsh or fish.
std::string bash_completion(const VerbInfo& program);
std::string zsh_completion(const VerbInfo& program);
std::string fish_completion(const VerbInfo& program);

}  // namespace dolmen::cli
