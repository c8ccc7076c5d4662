#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// `dolmen fork`.
void add_fork(const Verb& program);

}  // namespace dolmen::cli
