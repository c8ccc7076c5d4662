#include "entity/compiled.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

CompiledGenerated compile(const GeneratedProperty& property, bool sharded, const EntityConfig& config) {
  CompiledGenerated compiled{
      .name = property.name, .sharded = sharded, .elements = property.elements, .inputs = {}, .prefixes = {}};
  for (const std::string& element : property.elements)
    compiled.prefixes.push_back((sharded || !compiled.prefixes.empty() ? config.generated_key_delimiter : "") +
                                element + config.generated_value_delimiter);
  return compiled;
}

CompiledIndex compile(const EntityIndex& index, const EntityConfig& config) {
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

}  // namespace

CompiledConfig::CompiledConfig(EntityConfig config, EntityOptions options)
    : config_(std::move(config)), options_(std::move(options)) {
  for (const EntityDefinition& entity : config_.entities) add_entity(entity);
  for (const EntityIndex& index : config_.indexes) indexes_.emplace(index.name, compile(index, config_));
  for (const auto& [property, transcode] : config_.property_transcodes)
    has_big_integers_ |= codecs_.emplace(property, codec_of(transcode, options_)).first->second.takes_big_integers();
  for (const GeneratedProperty& property : config_.sharded) generated_.push_back(compile(property, true, config_));
  for (const GeneratedProperty& property : config_.unsharded) generated_.push_back(compile(property, false, config_));
  for (CompiledGenerated& property : generated_)
    for (const std::string& element : property.elements) {
      const auto known = std::ranges::find(inputs_, element, &CompiledInput::name);
      property.inputs.push_back(static_cast<std::size_t>(known - inputs_.begin()));
      if (known == inputs_.end()) inputs_.push_back({element, find_codec(element)});
    }
}

void CompiledConfig::add_entity(const EntityDefinition& definition) {
  entities_.emplace(definition.name,
                    CompiledEntity{.definition = definition,
                                   .hash_prefix = definition.name + config_.shard_key_delimiter,
                                   .range_prefix = definition.unique_property + config_.generated_value_delimiter});
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
