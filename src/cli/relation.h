#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verb `relation` with all that can be done to a relational store.
void add_relation(const Verb& program);

}  // namespace dolmen::cli
