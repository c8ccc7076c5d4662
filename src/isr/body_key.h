#pragma once

#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

/// The parts of a body's key between its slashes. Fails with kInvalidArgument unless it is 1 to 1,024 bytes of UTF-8
/// whose parts are neither empty nor "." nor "..".
Result<std::vector<std::string_view>> body_key_parts(std::string_view key);

}  // namespace dolmen
