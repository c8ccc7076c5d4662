#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace dolmen::cli {

/// What is in the store, for completion.
struct Vocabulary {
  std::function<std::vector<std::string>()> tables;
  /// The names of attributes of a table's items, as far as a look at some of them shows.
  std::function<std::vector<std::string>(const std::string& table)> attributes;
};

/// The words that could stand instead of `word`, the last one in `before`, which is the line up to the cursor: verbs
/// and their options, the words of options, tables, and the attributes of tables that the line names; in a statement
/// PartiQL's keywords, tables and attributes. Sorted, each once.
std::vector<std::string> shell_completions(const VerbInfo& program, const Vocabulary& vocabulary,
                                           const std::string& before, const std::string& word);

}  // namespace dolmen::cli
