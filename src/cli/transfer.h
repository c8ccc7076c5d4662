#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verbs `import` and `export`.
void add_import_and_export(const Verb& program);

}  // namespace dolmen::cli
