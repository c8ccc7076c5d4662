#include <algorithm>

#include "config/read.h"
#include "dolmen/entity/config.h"
#include "entity/loader.h"

namespace dolmen {

namespace {

template <class T>
const T* find_named(const std::vector<T>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &T::name);
  return found == all.end() ? nullptr : &*found;
}

Result<EntityConfig> checked(entity::LoadedConfig loaded, std::string_view file_name) {
  if (loaded.problems.empty()) return std::move(loaded.config);
  return std::unexpected(config::error_of(Code::kInvalidEntityConfig, file_name, loaded.problems));
}

}  // namespace

const EntityDefinition* EntityConfig::find_entity(std::string_view name) const { return find_named(entities, name); }
const EntityIndex* EntityConfig::find_index(std::string_view name) const { return find_named(indexes, name); }
const EntityVectorIndex* EntityConfig::find_vector_index(std::string_view name) const {
  return find_named(vector_indexes, name);
}

Result<EntityConfig> load_entity_config(const std::filesystem::path& file, const EntityOptions& options) {
  DOLMEN_TRY(const std::string text, config::read_file(file));
  return parse_entity_config(text, file.string(), options);
}

Result<EntityConfig> parse_entity_config(std::string_view text, std::string_view file_name,
                                         const EntityOptions& options) {
  return checked(entity::read_config(text, file_name, options), file_name);
}

Result<EntityConfig> check_entity_config(const EntityConfig& config, const EntityOptions& options) {
  // Maps of files cannot have a name twice; lists in C++ can.
  std::vector<ErrorDetail> details;
  const auto check = [&](std::string_view part, const auto& all, auto name_of) {
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (std::invoke(name_of, all[i]) == std::invoke(name_of, all[j]))
          details.push_back({std::string(part) + "." + std::invoke(name_of, all[i]), "unique",
                             "the name is declared twice: \"" + std::invoke(name_of, all[i]) + "\""});
  };
  check("entities", config.entities, &EntityDefinition::name);
  check("generatedProperties.sharded", config.sharded, &GeneratedProperty::name);
  check("generatedProperties.unsharded", config.unsharded, &GeneratedProperty::name);
  check("indexes", config.indexes, &EntityIndex::name);
  check("vectorIndexes", config.vector_indexes, &EntityVectorIndex::name);
  check("propertyTranscodes", config.property_transcodes, &PropertyTranscode::property);
  entity::LoadedConfig loaded = entity::config_of(entity::node_of(config), options);
  if (details.empty() && loaded.problems.empty()) return std::move(loaded.config);
  for (config::Problem& problem : loaded.problems) details.push_back({problem.path, problem.rule, problem.message});
  return std::unexpected(
      Error(Code::kInvalidEntityConfig, details.front().path + ": " + details.front().message, details));
}

}  // namespace dolmen
