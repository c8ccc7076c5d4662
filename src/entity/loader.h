#pragma once

#include <string_view>
#include <vector>

#include "config/node.h"
#include "dolmen/entity/config.h"

namespace dolmen::entity {

struct LoadedConfig {
  /// Good only when there are no problems.
  EntityConfig config;
  /// All of them: first those of shape, then those of one part with another. The latter are looked for only when the
  /// shape is right enough to make sense of them.
  std::vector<config::Problem> problems;
};

/// The config of a file that has been read.
LoadedConfig config_of(const config::Node& root, const EntityOptions& options);

/// What `parse_entity_config` does, with the mistakes as data.
LoadedConfig read_config(std::string_view text, std::string_view file_name, const EntityOptions& options);

/// A config as the tree that a file of it has.
config::Node node_of(const EntityConfig& config);

}  // namespace dolmen::entity
