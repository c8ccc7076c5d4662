#pragma once

#include "dolmen/entity/config.h"
#include "generate/models.h"

namespace dolmen::generate {

/// A constant for each entity, index, property and key of a config, so that a mistyped name does not compile. C++ has
/// those of `generate_header`. `namespace_name` is that of C++, or the package of Go. Fails with kInvalidArgument for a
/// name that contains NUL.
Result<std::string> generate_entities(Language language, const EntityConfig& config, const ModelCodeOptions& options);

}  // namespace dolmen::generate
