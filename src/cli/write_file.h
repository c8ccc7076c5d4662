#pragma once

#include <string>

#include "dolmen/error.h"

namespace dolmen::cli {

/// Replaces what is in the file. Fails with kIo and says why.
Result<void> write_file(const std::string& path, const std::string& text);

}  // namespace dolmen::cli
