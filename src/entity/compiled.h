#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/entity_config.h"
#include "entity/codec.h"

namespace dolmen::entity {

struct CompiledEntity {
  EntityDefinition definition;
  /// "user!": what its hash keys begin with.
  std::string hash_prefix;
  /// "userId#": what its range keys begin with.
  std::string range_prefix;
};

struct CompiledGenerated {
  std::string name;
  bool sharded = false;
  std::vector<std::string> elements;
  /// What stands before the value of each element, such as "|userId#".
  std::vector<std::string> prefixes;
};

struct CompiledIndex {
  EntityIndex definition;
  /// The global keys and its own, each once.
  std::vector<std::string> components;
};

/// A checked config with what every key needs at hand. Does not change, so any thread may use it.
class CompiledConfig {
 public:
  /// `config` must have been checked with the same options.
  CompiledConfig(EntityConfig config, EntityOptions options);

  [[nodiscard]] const EntityConfig& config() const noexcept { return config_; }
  [[nodiscard]] const EntityOptions& options() const noexcept { return options_; }
  /// Sharded ones first, as they are listed.
  [[nodiscard]] const std::vector<CompiledGenerated>& generated() const noexcept { return generated_; }

  /// Fails with kInvalidArgument, "invalid entity token" and "invalid index token".
  [[nodiscard]] Result<const CompiledEntity*> entity(std::string_view token) const;
  [[nodiscard]] Result<const CompiledIndex*> index(std::string_view token) const;
  /// Nothing when there is none.
  [[nodiscard]] const CompiledGenerated* find_generated(std::string_view token) const;
  [[nodiscard]] const Codec* find_codec(std::string_view property) const;
  [[nodiscard]] bool is_global_key(std::string_view token) const {
    return token == config_.hash_key || token == config_.range_key;
  }

  /// Adds an entity that no config has. For running recorded vectors only.
  void add_entity(const EntityDefinition& definition);

 private:
  EntityConfig config_;
  EntityOptions options_;
  std::map<std::string, CompiledEntity, std::less<>> entities_;
  std::map<std::string, CompiledIndex, std::less<>> indexes_;
  std::map<std::string, Codec, std::less<>> codecs_;
  std::vector<CompiledGenerated> generated_;
};

}  // namespace dolmen::entity
