#include "entity/keys.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "entity/js_number.h"
#include "entity/refusal.h"
#include "entity/string_hash.h"

namespace dolmen::entity {

namespace {

constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuv";

/// A moment as JavaScript compares it with a number: texts count by what they say.
double moment(const Element& timestamp) {
  switch (timestamp.kind()) {
    case Element::Kind::kNumber: return timestamp.number();
    case Element::Kind::kBoolean: return timestamp.boolean() ? 1 : 0;
    case Element::Kind::kBigInteger:
    case Element::Kind::kString:
    case Element::Kind::kOther: return parse_number(timestamp.text()).value_or(std::nan(""));
    case Element::Kind::kUndefined:
    case Element::Kind::kNull: break;
  }
  return std::nan("");
}

/// How many shards there are to choose from; 0 for more than a hash can tell apart.
std::uint64_t modulus(const ShardBump& bump, bool legacy) {
  if (legacy) return static_cast<std::uint64_t>(bump.chars) << static_cast<unsigned>(bump.char_bits);
  const int bits = bump.char_bits * bump.chars;
  return bits < 32 ? std::uint64_t{1} << static_cast<unsigned>(bits) : 0;
}

Result<void> check_unique(const CompiledConfig& config, const CompiledEntity& entity, const Element& unique) {
  const std::string& property = entity.definition.unique_property;
  if (unique.is_nil())
    return refuse(Code::kInvalidEntity, "missing item unique property", property, "the item does not have it");
  if (!config.options().strict) return {};
  if (unique.kind() == Element::Kind::kString && unique.text().empty())
    return refuse(Code::kInvalidEntity, "empty item unique property", property,
                  "an empty text cannot be read back from a key");
  return check_strictly(config, property, config.find_codec(property), unique);
}

/// The elements of generated properties, of which several need the same: each is read and checked once.
class Inputs {
 public:
  Inputs(const CompiledConfig& config, const ElementSource& item)
      : config_(config), item_(item), values_(config.inputs().size()) {}

  Result<const Element*> get(std::size_t input) {
    std::optional<Element>& value = values_[input];
    if (value) return &*value;
    const CompiledInput& property = config_.inputs()[input];
    value = item_.get(property.name);
    if (config_.options().strict && !value->is_nil())
      DOLMEN_TRY_VOID(check_strictly(config_, property.name, property.codec, *value));
    return &*value;
  }

 private:
  const CompiledConfig& config_;
  const ElementSource& item_;
  std::vector<std::optional<Element>> values_;
};

Result<std::optional<std::string>> encode(const CompiledConfig& config, const CompiledGenerated& property,
                                          Inputs& inputs, std::string_view hash_key) {
  std::string text;
  text.reserve(80);
  if (property.sharded) text = hash_key;
  for (std::size_t i = 0; i < property.elements.size(); ++i) {
    DOLMEN_TRY(const Element* value, inputs.get(property.inputs[i]));
    text += property.prefixes[i];
    if (value->is_nil()) {
      if (property.sharded) return std::nullopt;
      continue;
    }
    if (property.sharded && config.options().strict && value->kind() == Element::Kind::kString && value->text().empty())
      return refuse(Code::kInvalidEntity, fmt::format("{} is empty", property.elements[i]), property.elements[i],
                    "an empty text cannot be read back from a sharded key; see EntityOptions::strict");
    value->append_to(text);
  }
  return text;
}

}  // namespace

Result<void> check_strictly(const CompiledConfig& config, std::string_view property, const Codec* codec,
                            const Element& value) {
  const EntityConfig& names = config.config();
  if (value.kind() == Element::Kind::kString || value.kind() == Element::Kind::kOther) {
    for (const std::string* delimiter :
         {&names.generated_key_delimiter, &names.generated_value_delimiter, &names.shard_key_delimiter})
      if (value.text().find(*delimiter) != std::string_view::npos)
        return refuse(Code::kInvalidEntity, fmt::format("{} contains the delimiter \"{}\"", property, *delimiter),
                      property, "a key with it could not be read back; see EntityOptions::strict");
  }
  if (codec != nullptr && !codec->round_trips(value))
    return refuse(Code::kInvalidEntity, fmt::format("{} does not fit its transcode", property), property,
                  "a key with it could not be read back; see EntityOptions::strict");
  return {};
}

Result<ShardBump> bump_at(const CompiledEntity& entity, const Element& timestamp) {
  if (timestamp.is_nil())
    return refuse(Code::kInvalidEntity, "missing item timestamp property", entity.definition.timestamp_property,
                  "the item does not have it");
  const double time = moment(timestamp);
  const std::vector<ShardBump>& bumps = entity.definition.shard_bumps;
  for (std::size_t i = bumps.size(); i-- > 0;)
    if (static_cast<double>(bumps[i].timestamp) <= time) return bumps[i];
  return refuse(Code::kInvalidEntity, "invalid item timestamp property", entity.definition.timestamp_property,
                "it must be a number from 0 on");
}

void append_suffix(std::string& out, const ShardBump& bump, std::uint64_t shard) {
  const auto bits = static_cast<unsigned>(bump.char_bits);
  const std::uint64_t mask = (1U << bits) - 1;
  for (int i = bump.chars - 1; i >= 0; --i) {
    const unsigned shift = static_cast<unsigned>(i) * bits;
    out.push_back(shift >= 64 ? '0' : kDigits[shard >> shift & mask]);
  }
}

Result<std::string> make_hash_key(const CompiledConfig& config, const CompiledEntity& entity,
                                  const ElementSource& item) {
  const Element timestamp = item.get(entity.definition.timestamp_property);
  DOLMEN_TRY(const ShardBump bump, bump_at(entity, timestamp));
  if (config.options().strict) {
    const std::string& property = entity.definition.timestamp_property;
    DOLMEN_TRY_VOID(check_strictly(config, property, config.find_codec(property), timestamp));
  }
  std::string key = entity.hash_prefix;
  if (bump.chars == 0) return key;
  const Element unique = item.get(entity.definition.unique_property);
  DOLMEN_TRY_VOID(check_unique(config, entity, unique));
  const std::uint32_t hash =
      unique.kind() == Element::Kind::kString ? string_hash(unique.text()) : string_hash(unique.to_string());
  const std::uint64_t shards = modulus(bump, config.options().legacy_modulus);
  const std::uint64_t shard = shards == 0 ? hash : hash % shards;
  // The digits that the legacy modulus needs fit into the suffix, since chars * radix <= radix ** chars from 1 on.
  append_suffix(key, bump, shard);
  return key;
}

Result<std::string> make_range_key(const CompiledConfig& config, const CompiledEntity& entity,
                                   const ElementSource& item) {
  const Element unique = item.get(entity.definition.unique_property);
  DOLMEN_TRY_VOID(check_unique(config, entity, unique));
  std::string key = entity.range_prefix;
  unique.append_to(key);
  return key;
}

Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, const CompiledGenerated& property,
                                                    const ElementSource& item, std::string_view hash_key) {
  Inputs inputs(config, item);
  return encode(config, property, inputs, hash_key);
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
  ElementList item;
  if (encoded.empty()) return item;
  const EntityConfig& names = config.config();
  struct Pair {
    std::string_view name;
    std::string_view value;
  };
  std::vector<Pair> pairs;
  bool first = true;
  for (std::size_t begin = 0; begin <= encoded.size(); first = false) {
    const std::size_t end = std::min(encoded.find(names.generated_key_delimiter, begin), encoded.size());
    const std::string_view segment = encoded.substr(begin, end - begin);
    begin = end == encoded.size() ? end + 1 : end + names.generated_key_delimiter.size();
    if (first && segment.find(names.shard_key_delimiter) != std::string_view::npos) {
      item.set(names.hash_key, std::string(segment));
      continue;
    }
    const std::size_t at = segment.find(names.generated_value_delimiter);
    const std::size_t after = at + names.generated_value_delimiter.size();
    if (at == std::string_view::npos || segment.find(names.generated_value_delimiter, after) != std::string_view::npos)
      return refuse(Code::kInvalidEntity, fmt::format("invalid generated property value '{}'", segment), segment,
                    "it must be a name and a value with one delimiter between them");
    pairs.push_back({segment.substr(0, at), segment.substr(after)});
  }
  for (const Pair& pair : pairs) {
    const Codec* codec = config.find_codec(pair.name);
    if (codec == nullptr)
      return refuse(Code::kInvalidArgument, "invalid transcoded property", pair.name, "it has no transcode");
    EntityValue value;
    if (!pair.value.empty()) {
      DOLMEN_TRY(value, codec->decode_element(pair.value, config.options().read_raw_elements));
    }
    item.set(pair.name, std::move(value));
  }
  return item;
}

Result<std::optional<std::string>> hash_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                   const ElementSource& item, bool overwrite) {
  if (!overwrite && item.get(config.config().hash_key).is_truthy()) return std::nullopt;
  return make_hash_key(config, entity, item);
}

Result<std::optional<std::string>> range_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item, bool overwrite) {
  if (!overwrite && item.get(config.config().range_key).is_truthy()) return std::nullopt;
  return make_range_key(config, entity, item);
}

Result<std::vector<KeyChange>> key_changes(const CompiledConfig& config, const CompiledEntity& entity,
                                           const ElementSource& item, bool overwrite) {
  std::vector<KeyChange> changes;
  changes.reserve(config.generated().size() + 2);
  DOLMEN_TRY(std::optional<std::string> made_hash_key, hash_key_change(config, entity, item, overwrite));
  const std::string hash_key = made_hash_key ? *made_hash_key : item.get(config.config().hash_key).to_string();
  if (made_hash_key) changes.push_back({config.config().hash_key, std::move(made_hash_key)});
  DOLMEN_TRY(std::optional<std::string> range_key, range_key_change(config, entity, item, overwrite));
  if (range_key) changes.push_back({config.config().range_key, std::move(range_key)});
  Inputs inputs(config, item);
  for (const CompiledGenerated& property : config.generated()) {
    if (!overwrite && !item.get(property.name).is_nil()) continue;
    DOLMEN_TRY(std::optional<std::string> text, encode(config, property, inputs, hash_key));
    changes.push_back({property.name, std::move(text)});
  }
  return changes;
}

Result<std::optional<std::string>> encode_element(const CompiledConfig& config, std::string_view element,
                                                  const ElementSource& item) {
  const Element value = item.get(element);
  if (value.is_undefined()) return std::nullopt;
  if (config.is_global_key(element)) return value.to_string();
  const Codec* codec = config.find_codec(element);
  if (codec == nullptr)
    return refuse(Code::kInvalidArgument, "invalid transcoded property", element, "it has no transcode");
  std::string text;
  DOLMEN_TRY_VOID(codec->encode(value, text));
  if (text.empty()) return std::nullopt;
  return text;
}

Result<EntityValue> decode_element(const CompiledConfig& config, std::string_view element, std::string_view text) {
  const Codec* codec = config.find_codec(element);
  if (codec == nullptr)
    return refuse(Code::kInvalidArgument, "invalid transcoded property", element, "it has no transcode");
  if (text.empty()) return EntityValue{};
  return codec->decode(text);
}

}  // namespace dolmen::entity
