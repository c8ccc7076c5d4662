#pragma once

#include <string>

#include "dolmen/error.h"

namespace dolmen::cli {

/// Replaces the file, at once and durably; a link, a pipe or a terminal is written into. Fails with kIo and says why.
Result<void> write_file(const std::string& path, const std::string& text);

}  // namespace dolmen::cli
