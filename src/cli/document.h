#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `document`: write, read, query and import documents.
void add_document(const Verb& program);

}  // namespace dolmen::cli
