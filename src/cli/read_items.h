#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds the verbs "query" and "scan".
void add_query_and_scan(const Verb& program);

}  // namespace dolmen::cli
