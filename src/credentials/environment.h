#pragma once

#include <functional>
#include <string>

namespace dolmen {

/// Looks environment variables up; an unset one is the same as an empty one. Passed in, so that a test decides what the
/// world looks like.
using Environment = std::function<std::string(const std::string& name)>;

/// The process's own.
Environment process_environment();

}  // namespace dolmen
