#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace dolmen::cli {

/// Makes the program with all of its verbs. What options are written to belongs to it, so each call needs a new one.
using MakeProgram = std::unique_ptr<CommandLine> (*)();

/// Carries out a call of the program in this process, as `dolmen WORDS...` would. Returns its exit code.
int run_words(MakeProgram make_program, const std::vector<std::string>& words);

/// The words of a line, as a shell divides it: spaces separate, quotes and backslashes keep them.
struct LineWords {
  std::vector<std::string> words = {};
  /// The line ends inside quotes or with a backslash, and goes on in the next one.
  bool is_open = false;
};
LineWords split_line(const std::string& line);

/// Whether a line is a PartiQL statement: its first word is SELECT, INSERT, UPDATE, DELETE or EXISTS, in any case.
bool is_statement(const std::string& line);

}  // namespace dolmen::cli
