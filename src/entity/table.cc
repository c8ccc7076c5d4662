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

VectorIndexDefinition vector_index_of(const CompiledConfig& config, const EntityVectorIndex& index) {
  VectorIndexDefinition definition{.name = index.name,
                                   .attribute = index.vector_property,
                                   .dimensions = index.dimensions,
                                   .distance = index.distance,
                                   .search = {{index.hash_key, KeyType::kString, SearchRole::kHash}}};
  for (const std::string& filter : index.filters)
    definition.search.push_back({filter, key_attribute(config, filter).type, SearchRole::kInlineFilter});
  if (index.projections) {
    definition.projection = index.projections->empty() ? ProjectionType::kKeysOnly : ProjectionType::kInclude;
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
  for (const EntityVectorIndex& index : config.config().vector_indexes)
    table.vector_indexes.push_back(vector_index_of(config, index));
  return table;
}

}  // namespace dolmen::entity
