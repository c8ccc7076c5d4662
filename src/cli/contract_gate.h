#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `bind`, `status` and `unbind` to the verb `contract`: which items may be written to a table.
void add_contract_gate(const Verb& parent);

}  // namespace dolmen::cli
