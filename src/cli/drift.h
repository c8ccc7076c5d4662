#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

void add_drift(const Verb& program);

}  // namespace dolmen::cli
