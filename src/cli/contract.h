#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `contract`, whose `run` carries scenarios out; see also contract_gate.h.
void add_contract(const Verb& program);

}  // namespace dolmen::cli
