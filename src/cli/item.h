#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verbs below "item": get, put, update and delete.
void add_item(const Verb& program);

}  // namespace dolmen::cli
