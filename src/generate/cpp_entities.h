#pragma once

#include <string>

#include "dolmen/entity/config.h"

namespace dolmen::generate {

/// A C++ header with a constant for each entity, index, property and key of a config, so that a mistyped name does not
/// compile. Names that are not valid in C++ are adapted: "first-name" becomes first_name. Fails with kInvalidArgument
/// for a name that contains NUL.
Result<std::string> generate_header(const EntityConfig& config, const std::string& namespace_name,
                                    const std::string& source);

}  // namespace dolmen::generate
