#pragma once

#include <string>

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the hidden verb `reference`, which writes what the packages and the documentation have about the verbs. `line`
/// must outlive its verbs, as it does.
void add_reference(CommandLine& line, const Verb& program);

/// All verbs, with their arguments, options and examples, as a page of Markdown.
std::string reference_page(const VerbInfo& program);

/// A manual page (man 7 groff_man): of the program when `verb` is null, else of one of its verbs with those below it.
std::string manual_page(const VerbInfo& program, const VerbInfo* verb, const std::string& version);

}  // namespace dolmen::cli
