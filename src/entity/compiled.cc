#include "entity/compiled.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

CompiledIndex compile_index(const EntityIndex& index, const EntityConfig& config) {
  CompiledIndex compiled{.definition = index, .components = {}};
  for (const std::string& token : {config.hash_key, config.range_key, index.hash_key, index.range_key})
    if (std::ranges::find(compiled.components, token) == compiled.components.end())
      compiled.components.push_back(token);
  std::ranges::stable_sort(compiled.components, listed_before);
  return compiled;
}

Codec codec_of(const std::string& transcode, const EntityOptions& options) {
  const auto custom = std::ranges::find(options.transcodes, transcode, &Transcode::name);
  if (custom != options.transcodes.end()) return Codec(*custom);
  const BuiltinTranscode* builtin = find_builtin_transcode(transcode);
  DOLMEN_CHECK(builtin != nullptr, "a config that was not checked");
  return Codec(*builtin);
}

/// Sets for each of these keys how many of the other keys precede it.
void rank_keys(std::vector<CompiledEntity::Key*> keys) {
  std::ranges::sort(keys, {}, &CompiledEntity::Key::place);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i]->rank = i;
}

}  // namespace

std::size_t PropertyList::place_of(std::string_view name) const {
  const auto found = std::ranges::lower_bound(sorted.names, name);
  DOLMEN_CHECK(found != sorted.names.end() && *found == name, "a property that the list does not have");
  return static_cast<std::size_t>(found - sorted.names.begin());
}

CompiledConfig::CompiledConfig(EntityConfig config, EntityOptions options)
    : config_(std::move(config)),
      options_(std::move(options)),
      delimiter_bytes_({config_.generated_key_delimiter.front(), config_.generated_value_delimiter.front(),
                        config_.shard_key_delimiter.front()}) {
  for (const EntityIndex& index : config_.indexes) indexes_.emplace(index.name, compile_index(index, config_));
  for (const auto& [property, transcode] : config_.property_transcodes)
    has_big_integers_ |= codecs_.emplace(property, codec_of(transcode, options_)).first->second.takes_big_integers();
  for (const GeneratedProperty& property : config_.sharded) generated_.push_back(compile(property, true));
  for (const GeneratedProperty& property : config_.unsharded) generated_.push_back(compile(property, false));
  for (const EntityDefinition& entity : config_.entities) add_entity(entity);
}

PropertyList CompiledConfig::properties_of(std::vector<std::string> names) const {
  PropertyList list{.sorted = SortedNames(std::move(names)), .codecs = {}};
  for (const std::string& name : list.sorted.names) list.codecs.push_back(find_codec(name));
  return list;
}

CompiledGenerated CompiledConfig::compile(const GeneratedProperty& property, bool sharded) const {
  CompiledGenerated compiled{.name = property.name,
                             .sharded = sharded,
                             .elements = property.elements,
                             .prefixes = {},
                             .inputs = properties_of(property.elements),
                             .places = {}};
  for (const std::string& element : property.elements) {
    const bool delimited = sharded || !compiled.prefixes.empty();
    compiled.prefixes.push_back((delimited ? config_.generated_key_delimiter : "") + element +
                                config_.generated_value_delimiter);
    compiled.prefix_bytes += compiled.prefixes.back().size();
    compiled.places.push_back(compiled.inputs.place_of(element));
  }
  return compiled;
}

void CompiledConfig::add_entity(const EntityDefinition& definition) {
  std::vector<std::string> names = {config_.hash_key, config_.range_key, definition.timestamp_property,
                                    definition.unique_property};
  for (const CompiledGenerated& property : generated_) {
    names.push_back(property.name);
    names.insert(names.end(), property.elements.begin(), property.elements.end());
  }
  std::vector<std::string> index_ranges;
  for (const EntityIndex& index : config_.indexes)
    if (index.range_key != config_.range_key && find_generated(index.range_key) == nullptr)
      index_ranges.push_back(index.range_key);
  names.insert(names.end(), index_ranges.begin(), index_ranges.end());
  CompiledEntity entity{.definition = definition,
                        .hash_prefix = definition.name + config_.shard_key_delimiter,
                        .range_prefix = definition.unique_property + config_.generated_value_delimiter,
                        .properties = properties_of(std::move(names)),
                        .hash_key = {},
                        .range_key = {},
                        .generated = {},
                        .index_ranges = {}};
  const auto place = [&](std::string_view name) { return entity.properties.place_of(name); };
  entity.timestamp = place(definition.timestamp_property);
  entity.unique = place(definition.unique_property);
  entity.hash_key.place = place(config_.hash_key);
  entity.range_key.place = place(config_.range_key);
  for (const CompiledGenerated& property : generated_) {
    CompiledEntity::Key& key = entity.generated.emplace_back();
    key.place = place(property.name);
    for (const std::string& element : property.elements) key.inputs.push_back(place(element));
  }
  for (const std::string& name : index_ranges) entity.index_ranges.push_back(place(name));
  std::vector<CompiledEntity::Key*> keys = {&entity.hash_key, &entity.range_key};
  for (CompiledEntity::Key& key : entity.generated) keys.push_back(&key);
  rank_keys(std::move(keys));
  entities_.emplace(definition.name, std::move(entity));
}

Result<const CompiledEntity*> CompiledConfig::entity(std::string_view token) const {
  const auto found = entities_.find(token);
  if (found != entities_.end()) return &found->second;
  return refuse(Code::kInvalidArgument, "invalid entity token", token, "the config has no such entity");
}

Result<const CompiledIndex*> CompiledConfig::index(std::string_view token) const {
  const auto found = indexes_.find(token);
  if (found != indexes_.end()) return &found->second;
  return refuse(Code::kInvalidArgument, "invalid index token", token, "the config has no such index");
}

const CompiledGenerated* CompiledConfig::find_generated(std::string_view token) const {
  const auto found = std::ranges::find(generated_, token, &CompiledGenerated::name);
  return found == generated_.end() ? nullptr : &*found;
}

std::size_t CompiledConfig::Hash::operator()(std::string_view text) const noexcept { return hash64(text); }

const Codec* CompiledConfig::find_codec(std::string_view property) const {
  const auto found = codecs_.find(property);
  return found == codecs_.end() ? nullptr : &found->second;
}

}  // namespace dolmen::entity
