#include "entity/loader.h"

namespace dolmen::entity {

namespace {

using config::Node;
using NodeKind = Node::Kind;

Node string_node(std::string text) {
  Node node;
  node.kind = NodeKind::kString;
  node.text = std::move(text);
  return node;
}

Node number_node(std::int64_t value) {
  Node node;
  node.kind = NodeKind::kNumber;
  node.text = std::to_string(value);
  return node;
}

Node list_node(const std::vector<std::string>& texts) {
  Node node;
  node.kind = NodeKind::kList;
  for (const std::string& text : texts) node.elements.push_back(string_node(text));
  return node;
}

Node map_node(std::vector<Node::Entry> entries) {
  Node node;
  node.kind = NodeKind::kMap;
  node.entries = std::move(entries);
  return node;
}

Node generated_node(const std::vector<GeneratedProperty>& properties) {
  Node node = map_node({});
  for (const GeneratedProperty& property : properties)
    node.entries.push_back({property.name, {}, list_node(property.elements)});
  return node;
}

Node entity_node(const EntityDefinition& entity) {
  Node node = map_node({{"defaultLimit", {}, number_node(entity.default_limit)},
                        {"defaultPageSize", {}, number_node(entity.default_page_size)},
                        {"timestampProperty", {}, string_node(entity.timestamp_property)},
                        {"uniqueProperty", {}, string_node(entity.unique_property)}});
  Node bumps;
  bumps.kind = NodeKind::kList;
  for (const ShardBump& bump : entity.shard_bumps)
    bumps.elements.push_back(map_node({{"timestamp", {}, number_node(bump.timestamp)},
                                       {"charBits", {}, number_node(bump.char_bits)},
                                       {"chars", {}, number_node(bump.chars)}}));
  if (!entity.shard_bumps.empty()) node.entries.push_back({"shardBumps", {}, std::move(bumps)});
  return node;
}

Node index_node(const EntityIndex& index) {
  Node node = map_node({{"hashKey", {}, string_node(index.hash_key)}, {"rangeKey", {}, string_node(index.range_key)}});
  if (index.projections) node.entries.push_back({"projections", {}, list_node(*index.projections)});
  return node;
}

Node vector_index_node(const EntityVectorIndex& index) {
  Node node = map_node({{"vectorProperty", {}, string_node(index.vector_property)},
                        {"dimensions", {}, number_node(index.dimensions)},
                        {"distance", {}, string_node(std::string(vector_distance_name(index.distance)))}});
  if (!index.hash_key.empty()) node.entries.push_back({"hashKey", {}, string_node(index.hash_key)});
  if (!index.filters.empty()) node.entries.push_back({"filters", {}, list_node(index.filters)});
  if (index.projections) node.entries.push_back({"projections", {}, list_node(*index.projections)});
  return node;
}

}  // namespace

Node node_of(const EntityConfig& config) {
  Node entities = map_node({});
  for (const EntityDefinition& entity : config.entities)
    entities.entries.push_back({entity.name, {}, entity_node(entity)});
  Node indexes = map_node({});
  for (const EntityIndex& index : config.indexes) indexes.entries.push_back({index.name, {}, index_node(index)});
  Node transcodes = map_node({});
  for (const auto& [property, transcode] : config.property_transcodes)
    transcodes.entries.push_back({property, {}, string_node(transcode)});
  Node generated =
      map_node({{"sharded", {}, generated_node(config.sharded)}, {"unsharded", {}, generated_node(config.unsharded)}});
  Node all = map_node({{"entities", {}, std::move(entities)},
                       {"generatedProperties", {}, std::move(generated)},
                       {"hashKey", {}, string_node(config.hash_key)},
                       {"rangeKey", {}, string_node(config.range_key)},
                       {"indexes", {}, std::move(indexes)},
                       {"generatedKeyDelimiter", {}, string_node(config.generated_key_delimiter)},
                       {"generatedValueDelimiter", {}, string_node(config.generated_value_delimiter)},
                       {"shardKeyDelimiter", {}, string_node(config.shard_key_delimiter)},
                       {"propertyTranscodes", {}, std::move(transcodes)},
                       {"throttle", {}, number_node(config.throttle)}});
  if (config.vector_indexes.empty()) return all;
  Node vector_indexes = map_node({});
  for (const EntityVectorIndex& index : config.vector_indexes)
    vector_indexes.entries.push_back({index.name, {}, vector_index_node(index)});
  all.entries.push_back({"vectorIndexes", {}, std::move(vector_indexes)});
  return all;
}

}  // namespace dolmen::entity
