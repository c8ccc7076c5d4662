#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `scenario`, which runs scenario files on a store.
void add_scenario(const Verb& program);

/// Adds `run` to the verb `contract`: the former name of `scenario run`, which it points to.
void add_former_contract_run(const Verb& contract);

}  // namespace dolmen::cli
