#pragma once

#include <functional>
#include <string>

namespace dolmen {

/// Looks up an environment variable; an unset variable is the same as an empty one. Passed in, so that a test can set
/// its own variables.
using Environment = std::function<std::string(const std::string& name)>;

/// The environment of the process.
Environment process_environment();

}  // namespace dolmen
