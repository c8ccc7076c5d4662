#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `tls`: certificates for trials.
void add_tls(const Verb& program);

}  // namespace dolmen::cli
