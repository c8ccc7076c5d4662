#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::cli {

/// Gives `input` to a shell command and returns what it prints. Fails with kIo when the command cannot be started or
/// does not exit with status 0.
Result<std::string> filtered(const std::string& command, std::string_view input);

}  // namespace dolmen::cli
