#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `generate` to the verb `schema`: the documents of schema files as types of source code.
void add_schema_generate(const Verb& schema);

}  // namespace dolmen::cli
