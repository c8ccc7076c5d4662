#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::cli {

/// The YAML and JSON files in a folder and those below it, in the order of their names; a file stands for itself. Fails
/// with kIo, and with kInvalidArgument when there are none.
Result<std::vector<std::filesystem::path>> config_files_in(const std::string& folder);

}  // namespace dolmen::cli
