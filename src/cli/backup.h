#pragma once

#include "cli/command_line.h"

namespace dolmen::cli {

/// Adds `backup`: backups of a whole store in a folder.
void add_backup(const Verb& program);

}  // namespace dolmen::cli
