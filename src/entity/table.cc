#include "entity/table.h"

namespace dolmen::entity {

namespace {

KeyAttribute key_attribute(const CompiledConfig& config, const std::string& token) {
  const Codec* codec = config.find_codec(token);
  return {token, codec == nullptr ? KeyType::kString : codec->key_type()};
}

IndexDefinition index_of(const CompiledConfig& config, const EntityIndex& index) {
  IndexDefinition definition{.name = index.name,
                             .partition_keys = {key_attribute(config, index.hash_key)},
                             .sort_keys = {key_attribute(config, index.range_key)}};
  if (index.projections && index.projections->empty()) {
    definition.projection = ProjectionType::kKeysOnly;
  } else if (index.projections) {
    definition.projection = ProjectionType::kInclude;
    definition.included_attributes = *index.projections;
  }
  return definition;
}

}  // namespace

TableDefinition table_of(const CompiledConfig& config, std::string name) {
  TableDefinition table{.name = std::move(name),
                        .partition_key = key_attribute(config, config.config().hash_key),
                        .sort_key = key_attribute(config, config.config().range_key)};
  for (const EntityIndex& index : config.config().indexes) table.global_indexes.push_back(index_of(config, index));
  return table;
}

}  // namespace dolmen::entity
