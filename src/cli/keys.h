#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

void add_keys(const Verb& program);

}  // namespace dolmen::cli
