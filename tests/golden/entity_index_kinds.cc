#include <algorithm>
#include <map>

#include "config/node.h"
#include "entity/hash_key_space.h"
#include "entity/indexes.h"
#include "entity/keys.h"
#include "entity/loader.h"
#include "entity/page_keys.h"
#include "entity/table.h"
#include "entity_vectors.h"

namespace dolmen::golden {

namespace {

using namespace entity;  // NOLINT(google-build-using-namespace): this file is about that room alone
using config::Node;

constexpr std::size_t kListedWhole = 80;
constexpr std::ptrdiff_t kListedEnds = 20;

// ---- Indexes ----

Result<JsValue> components(const EntityCase& c) {
  DOLMEN_TRY(const CompiledIndex* index, c.config->index(c.text("index")));
  return JsValue::of(index->components);
}

Result<JsValue> unwrap(const EntityCase& c) {
  DOLMEN_TRY(const CompiledEntity* entity, c.config->entity(c.text("entity")));
  DOLMEN_TRY(const CompiledIndex* index, c.config->index(c.text("index")));
  return JsValue::of(unwrap_index(*c.config, *entity, *index, texts_of(c.args.at("omit"))));
}

Result<JsValue> find_token(const EntityCase& c) {
  const Result<std::string> found = find_index(*c.config, c.text("hashKeyToken"), c.text("rangeKeyToken"));
  if (found) return JsValue(*found);
  if (c.args.at("suppressError").is_truthy()) return JsValue();
  return std::unexpected(found.error());
}

Result<JsValue> key_space(const EntityCase& c) {
  DOLMEN_TRY(const CompiledEntity* entity, c.config->entity(c.text("entity")));
  const TimeWindow window{c.args.at("from").number(), c.args.at("to").number()};
  DOLMEN_TRY(const auto space, hash_key_space(*c.config, *entity, c.text("hashKeyToken"), JsSource(c.args.at("item")),
                                              bumps_in(*entity, window)));
  if (space.size() <= kListedWhole) return JsValue::of(space);
  return JsValue(JsMap{{"length", static_cast<double>(space.size())},
                       {"first", JsValue::of(Tokens(space.begin(), space.begin() + kListedEnds))},
                       {"last", JsValue::of(Tokens(space.end() - kListedEnds, space.end()))}});
}

Result<JsValue> dehydrate_item(const EntityCase& c) {
  if (c.args.at("item").is_undefined()) return JsValue("");
  DOLMEN_TRY(const CompiledEntity* entity, c.config->entity(c.text("entity")));
  DOLMEN_TRY(const CompiledIndex* index, c.config->index(c.text("index")));
  std::string text;
  DOLMEN_TRY_VOID(
      dehydrate(*c.config, dehydrated_elements(*c.config, *entity, *index), JsSource(c.args.at("item")), text));
  return JsValue(std::move(text));
}

Result<JsValue> rehydrate_item(const EntityCase& c) {
  DOLMEN_TRY(const CompiledEntity* entity, c.config->entity(c.text("entity")));
  DOLMEN_TRY(const CompiledIndex* index, c.config->index(c.text("index")));
  DOLMEN_TRY(const ElementList item,
             rehydrate(*c.config, dehydrated_elements(*c.config, *entity, *index), c.text("dehydrated")));
  return JsValue::of(item);
}

Result<JsValue> dehydrate_map(const EntityCase& c) {
  std::vector<JsSource> sources;
  std::vector<IndexPageKeys> page_keys;
  const JsMap& map = *c.args.at("pageKeyMap").map();
  std::size_t count = 0;
  for (const auto& [index, keys] : map) count += keys.map()->size();
  sources.reserve(count);
  for (const auto& [index, keys] : map) {
    IndexPageKeys& of_index = page_keys.emplace_back(IndexPageKeys{.index = index, .keys = {}});
    for (const auto& [hash_key, page_key] : *keys.map()) {
      const bool there = page_key.is_truthy();
      if (there) sources.emplace_back(page_key);
      of_index.keys.emplace_back(hash_key, there ? &sources.back() : nullptr);
    }
  }
  DOLMEN_TRY(const auto texts, dehydrate_page_keys(*c.config, c.text("entity"), std::move(page_keys)));
  return JsValue::of(texts);
}

Result<JsValue> rehydrate_map(const EntityCase& c) {
  const JsValue& dehydrated = c.args.at("dehydrated");
  const JsSource item(c.args.at("item"));
  const Tokens indexes = texts_of(c.args.at("indexTokens"));
  DOLMEN_TRY(const RehydratedMap map,
             rehydrate_page_keys(
                 *c.config, {.entity_token = c.text("entity"),
                             .index_tokens = indexes,
                             .item = item,
                             .dehydrated = dehydrated.is_nil() ? std::nullopt : std::optional(texts_of(dehydrated)),
                             .window = {c.args.at("from").number(), c.args.at("to").number()}}));
  JsValue result = JsMap{};
  for (std::size_t i = 0; i < map.page_keys.size(); ++i) {
    JsMap keys;
    for (std::size_t k = 0; k < map.hash_keys.size(); ++k)
      keys.emplace_back(map.hash_keys[k], map.page_keys[i][k] ? JsValue::of(*map.page_keys[i][k]) : JsValue());
    result.set(indexes[i], std::move(keys));
  }
  return JsValue(JsList{map.hash_key_token, result});
}

// ---- Configs ----

/// The tree of a config in which tags have become what they stand for.
Node untagged(const Node& node) {
  Node result = node;
  result.elements.clear();
  result.entries.clear();
  for (const Node& element : node.elements) result.elements.push_back(untagged(element));
  for (const Node::Entry& entry : node.entries) {
    if (entry.name == "$number") {
      result.kind = Node::Kind::kNumber;
      result.text = entry.value.text;
      return result;
    }
    if (entry.value.find("$undefined") == nullptr)
      result.entries.push_back({entry.name, entry.name_position, untagged(entry.value)});
  }
  return result;
}

JsValue js_of(const EntityDefinition& entity) {
  JsList bumps;
  for (const ShardBump& bump : entity.shard_bumps)
    bumps.push_back(JsMap{{"timestamp", static_cast<double>(bump.timestamp)},
                          {"charBits", static_cast<double>(bump.char_bits)},
                          {"chars", static_cast<double>(bump.chars)}});
  return JsMap{{"defaultLimit", static_cast<double>(entity.default_limit)},
               {"defaultPageSize", static_cast<double>(entity.default_page_size)},
               {"shardBumps", std::move(bumps)},
               {"timestampProperty", entity.timestamp_property},
               {"uniqueProperty", entity.unique_property}};
}

JsValue js_of(const std::vector<GeneratedProperty>& properties) {
  JsMap map;
  for (const GeneratedProperty& property : properties) map.emplace_back(property.name, JsValue::of(property.elements));
  return map;
}

JsValue js_of(const EntityConfig& config, const EntityOptions& options) {
  JsMap entities;
  for (const EntityDefinition& entity : config.entities) entities.emplace_back(entity.name, js_of(entity));
  JsMap indexes;
  for (const EntityIndex& index : config.indexes) {
    JsMap map{{"hashKey", index.hash_key}, {"rangeKey", index.range_key}};
    if (index.projections) map.emplace_back("projections", JsValue::of(*index.projections));
    indexes.emplace_back(index.name, std::move(map));
  }
  JsMap transcodes;
  for (const auto& [property, transcode] : config.property_transcodes) transcodes.emplace_back(property, transcode);
  Tokens names;
  if (options.transcodes.empty())
    for (const Transcode& transcode : default_transcodes()) names.push_back(transcode.name);
  for (const Transcode& transcode : options.transcodes) names.push_back(transcode.name);
  return JsMap{
      {"entities", std::move(entities)},
      {"generatedProperties", JsMap{{"sharded", js_of(config.sharded)}, {"unsharded", js_of(config.unsharded)}}},
      {"hashKey", config.hash_key},
      {"indexes", std::move(indexes)},
      {"generatedKeyDelimiter", config.generated_key_delimiter},
      {"generatedValueDelimiter", config.generated_value_delimiter},
      {"propertyTranscodes", std::move(transcodes)},
      {"rangeKey", config.range_key},
      {"shardKeyDelimiter", config.shard_key_delimiter},
      {"throttle", static_cast<double>(config.throttle)},
      {"transcodeNames", JsValue::of(names)}};
}

Result<JsValue> validate(const EntityCase& c) {
  static const Node kNull;
  const Node* given = c.node.find("args")->find("config");
  EntityOptions options{.strict = false};
  const Node root = plain_config(given == nullptr ? kNull : *given, options);
  const LoadedConfig loaded = config_of(root, options);
  if (loaded.problems.empty()) return js_of(loaded.config, options);
  std::vector<ErrorDetail> details;
  for (const config::Problem& problem : loaded.problems)
    details.push_back({problem.path, problem.rule, problem.message});
  return std::unexpected(Error(Code::kInvalidEntityConfig, "the config is wrong", std::move(details)));
}

// ---- Tables ----

JsValue key_schema(const std::string& hash, const std::string& range) {
  return JsList{JsMap{{"AttributeName", hash}, {"KeyType", "HASH"}},
                JsMap{{"AttributeName", range}, {"KeyType", "RANGE"}}};
}

Result<JsValue> table_definition(const EntityCase& c) {
  const TableDefinition table = table_of(*c.config, "T");
  JsList attributes;
  Tokens seen;
  const auto declare = [&](const KeyAttribute& key) {
    if (std::ranges::find(seen, key.name) != seen.end()) return;
    seen.push_back(key.name);
    attributes.push_back(JsMap{{"AttributeName", key.name}, {"AttributeType", key_type_name(key.type)}});
  };
  declare(table.partition_key);
  declare(*table.sort_key);
  JsList indexes;
  for (const IndexDefinition& index : table.global_indexes) {
    declare(index.partition_keys.front());
    declare(index.sort_keys.front());
    JsMap projection{{"ProjectionType", index.projection == ProjectionType::kAll        ? "ALL"
                                        : index.projection == ProjectionType::kKeysOnly ? "KEYS_ONLY"
                                                                                        : "INCLUDE"}};
    if (!index.included_attributes.empty())
      projection.emplace_back("NonKeyAttributes", JsValue::of(index.included_attributes));
    indexes.push_back(JsMap{{"IndexName", index.name},
                            {"KeySchema", key_schema(index.partition_keys.front().name, index.sort_keys.front().name)},
                            {"Projection", std::move(projection)}});
  }
  JsMap definition{{"AttributeDefinitions", std::move(attributes)},
                   {"KeySchema", key_schema(table.partition_key.name, table.sort_key->name)}};
  if (!indexes.empty()) definition.emplace_back("GlobalSecondaryIndexes", std::move(indexes));
  return JsValue(std::move(definition));
}

}  // namespace

config::Node plain_config(const config::Node& tagged, EntityOptions& options) {
  Node root = untagged(tagged);
  for (Node::Entry& part : root.entries) {
    if (part.name != "transcodes") continue;
    std::erase_if(part.value.entries, [&](const Node::Entry& entry) {
      const Node* encode = entry.value.find("encode");
      if (encode == nullptr || encode->find("$function") == nullptr) return false;
      for (const Transcode& transcode : default_transcodes())
        if (transcode.name == "string")
          options.transcodes.push_back({entry.name, transcode.encode, transcode.decode, transcode.key_type});
      return true;
    });
  }
  return root;
}

void add_index_kinds(EntityKinds& kinds) {
  kinds["getIndexComponents"] = components;
  kinds["unwrapIndex"] = unwrap;
  kinds["findIndexToken"] = find_token;
  kinds["getHashKeySpace"] = key_space;
  kinds["dehydrateIndexItem"] = dehydrate_item;
  kinds["rehydrateIndexItem"] = rehydrate_item;
  kinds["dehydratePageKeyMap"] = dehydrate_map;
  kinds["rehydratePageKeyMap"] = rehydrate_map;
  kinds["configValidate"] = validate;
  kinds["generateTableDefinition"] = table_definition;
}

}  // namespace dolmen::golden
