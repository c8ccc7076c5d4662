#include "entity/keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <ranges>

#include "entity/key_maker.h"
#include "entity/refusal.h"

namespace dolmen::entity {

namespace {

using Made = KeyMaker::Made;

/// `text.find(delimiter, from)`, fast for delimiters of one character, which are the most common.
std::size_t find(std::string_view text, const std::string& delimiter, std::size_t from) {
  return delimiter.size() == 1 ? text.find(delimiter[0], from) : text.find(delimiter, from);
}

Result<void> decode_pair(const CompiledConfig& config, std::string_view name, std::string_view text,
                         ElementViews& item) {
  const Codec* codec = config.find_codec(name);
  if (codec == nullptr)
    return refuse(Code::kInvalidArgument, "invalid transcoded property", name, "it has no transcode");
  Element value;
  if (!text.empty()) {
    DOLMEN_TRY(value, codec->decode_element(text, config.options().read_raw_elements, item.kept()));
  }
  item.set(name, value);
  return {};
}

}  // namespace

void append_suffix(std::string& out, const ShardBump& bump, std::uint64_t shard) {
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(bump.chars));
  write_suffix(out.data() + before, bump, shard);
}

Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, const CompiledGenerated& property,
                                                    const ElementSource& item, std::string_view hash_key) {
  KeyMemory memory;
  KeyMaker maker(config, property.inputs, item, memory);
  std::string_view text;
  const Made made = maker.generated(property, property.places, hash_key, text);
  if (made == Made::kRefused) return maker.refusal();
  return made == Made::kText ? std::optional<std::string>(text) : std::nullopt;
}

Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, std::string_view property,
                                                    const ElementSource& item) {
  const CompiledGenerated* generated = config.find_generated(property);
  if (generated == nullptr)
    return refuse(Code::kInvalidArgument, "invalid generated property", property, "the config has no such property");
  const Element hash_key = item.get(config.config().hash_key);
  return encode_generated(config, *generated, item, hash_key.is_nil() ? std::string() : hash_key.to_string());
}

Result<ElementList> decode_generated(const CompiledConfig& config, std::string_view encoded) {
  ElementViews views;
  DOLMEN_TRY_VOID(decode_generated(config, encoded, views));
  ElementList item;
  views.each([&](std::string_view name, const Element& value) { item.set(name, value.value()); });
  return item;
}

Result<void> decode_generated(const CompiledConfig& config, std::string_view encoded, ElementViews& item) {
  if (encoded.empty()) return {};
  const EntityConfig& names = config.config();
  // Mistakes of form are reported before mistakes of meaning.
  Result<void> outcome{};
  for (std::size_t begin = 0; begin <= encoded.size();) {
    const bool first = begin == 0;
    const std::size_t end = std::min(find(encoded, names.generated_key_delimiter, begin), encoded.size());
    const std::string_view segment = encoded.substr(begin, end - begin);
    begin = end == encoded.size() ? end + 1 : end + names.generated_key_delimiter.size();
    if (first && find(segment, names.shard_key_delimiter, 0) != std::string_view::npos) {
      item.set(names.hash_key, Element::view(segment));
      continue;
    }
    const std::size_t at = find(segment, names.generated_value_delimiter, 0);
    const std::size_t after = at + names.generated_value_delimiter.size();
    if (at == std::string_view::npos || find(segment, names.generated_value_delimiter, after) != std::string_view::npos)
      return refuse(Code::kInvalidEntity, fmt::format("invalid generated property value '{}'", segment), segment,
                    "it must be a name and a value with one delimiter between them");
    if (outcome) outcome = decode_pair(config, segment.substr(0, at), segment.substr(after), item);
  }
  return outcome;
}

Result<std::optional<std::string>> hash_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                   const ElementSource& item, bool overwrite) {
  KeyMemory memory;
  KeyMaker maker(config, entity.properties, item, memory);
  if (!overwrite && maker[entity.hash_key.place].is_truthy()) return std::nullopt;
  std::string_view key;
  if (maker.hash_key(entity, key) == Made::kRefused) return maker.refusal();
  return std::string(key);
}

Result<std::vector<std::string>> hash_keys_of_bumps(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item) {
  KeyMemory memory;
  KeyMaker maker(config, entity.properties, item, memory);
  std::vector<std::string> keys;
  for (const ShardBump& bump : entity.definition.shard_bumps | std::views::reverse) {
    std::string_view key;
    if (maker.hash_key_under(entity, bump, key) == Made::kRefused) return maker.refusal();
    keys.emplace_back(key);
  }
  return keys;
}

Result<std::optional<std::string>> range_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item, bool overwrite) {
  KeyMemory memory;
  KeyMaker maker(config, entity.properties, item, memory);
  if (!overwrite && maker[entity.range_key.place].is_truthy()) return std::nullopt;
  std::string_view key;
  if (maker.range_key(entity, key) == Made::kRefused) return maker.refusal();
  return std::string(key);
}

Result<std::span<const TextChange>> key_changes(const CompiledConfig& config, const CompiledEntity& entity,
                                                const ElementSource& item, bool overwrite, KeyMemory& memory) {
  KeyMaker maker(config, entity.properties, item, memory);
  const std::span<TextChange> changes = memory.room<TextChange>(entity.generated.size() + 2);
  // The change of a key, which is a text until it is known to be missing. Null when the item keeps its key.
  const auto change_of = [&](const CompiledEntity::Key& key, bool is_kept) -> TextChange* {
    TextChange* const change = std::construct_at(&changes[key.rank]);
    if (is_kept && !overwrite) return nullptr;
    change->name = maker.name(key.place);
    change->place = maker.place_in_item(key.place);
    change->kind = TextChange::Kind::kSet;
    return change;
  };
  std::string_view hash_key = maker.text(entity.hash_key.place);
  if (TextChange* const change = change_of(entity.hash_key, maker[entity.hash_key.place].is_truthy())) {
    if (maker.hash_key(entity, change->text) == Made::kRefused) return maker.refusal();
    hash_key = change->text;
  }
  if (TextChange* const change = change_of(entity.range_key, maker[entity.range_key.place].is_truthy()))
    if (maker.range_key(entity, change->text) == Made::kRefused) return maker.refusal();
  for (std::size_t i = 0; i < entity.generated.size(); ++i) {
    const CompiledEntity::Key& key = entity.generated[i];
    TextChange* const change = change_of(key, !maker[key.place].is_nil());
    if (change == nullptr) continue;
    const Made made = maker.generated(config.generated()[i], key.inputs, hash_key, change->text);
    if (made == Made::kRefused) return maker.refusal();
    if (made == Made::kNothing) change->kind = TextChange::Kind::kRemove;
  }
  if (maker.check_ranges(entity.index_ranges) == Made::kRefused) return maker.refusal();
  return changes;
}

Result<void> encode_element(const CompiledConfig& config, std::string_view name, const Codec* codec,
                            const Element& value, std::string& out) {
  if (value.is_undefined()) return {};
  if (config.is_global_key(name)) {
    value.append_to(out);
    return {};
  }
  if (codec == nullptr)
    return refuse(Code::kInvalidArgument, "invalid transcoded property", name, "it has no transcode");
  return codec->encode(value, out);
}

Result<EntityValue> decode_element(std::string_view name, const Codec* codec, std::string_view text) {
  if (codec == nullptr)
    return refuse(Code::kInvalidArgument, "invalid transcoded property", name, "it has no transcode");
  if (text.empty()) return EntityValue{};
  return codec->decode(text);
}

}  // namespace dolmen::entity
