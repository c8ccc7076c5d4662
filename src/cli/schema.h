#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `schema`: publish, list, show and validate document schemas.
void add_schema(const Verb& program);

}  // namespace dolmen::cli
