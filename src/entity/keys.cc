#include "entity/keys.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <ranges>

#include "entity/js_number.h"
#include "entity/refusal.h"
#include "entity/string_hash.h"

namespace dolmen::entity {

namespace {

constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuv";

/// A moment as JavaScript compares it with a number: texts are converted to numbers.
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

/// The number of shards to choose from; 0 for more than a hash can distinguish.
std::uint64_t modulus(const ShardBump& bump, bool legacy) {
  if (legacy) return static_cast<std::uint64_t>(bump.chars) << static_cast<unsigned>(bump.char_bits);
  const int bits = bump.char_bits * bump.chars;
  return bits < 32 ? std::uint64_t{1} << static_cast<unsigned>(bits) : 0;
}

/// Whether a delimiter after the text would be found too early: within it, or made by its end and the delimiter.
bool hides(std::string_view text, const std::string& delimiter) {
  if (delimiter.size() == 1) return text.find(delimiter[0]) != std::string_view::npos;
  return std::string(text).append(delimiter).find(delimiter) < text.size();
}

using Delimiters = std::initializer_list<const std::string*>;

/// Fails with kInvalidEntity when a text contains one of the delimiters.
Result<void> check_delimiters(const CompiledConfig& config, std::string_view property, const Element& value,
                              Delimiters delimiters) {
  if (!value.has_text() || !config.may_hold_delimiter(value.text())) return {};
  for (const std::string* delimiter : delimiters)
    if (hides(value.text(), *delimiter))
      return refuse(Code::kInvalidEntity, fmt::format("{} contains the delimiter \"{}\"", property, *delimiter),
                    property, "a key with it could not be read back; see EntityOptions::strict");
  return {};
}

std::unexpected<Error> misfit(std::string_view property) {
  return refuse(Code::kInvalidEntity, fmt::format("{} does not fit its transcode", property), property,
                "a key with it could not be read back; see EntityOptions::strict");
}

/// The properties from which keys are made, read at once, with their texts.
class KeyInputs {
 public:
  KeyInputs(const CompiledConfig& config, const PropertyList& properties, const ElementSource& item, KeyMemory& memory)
      : config_(config),
        properties_(properties),
        memory_(memory),
        values_(memory.room<Element>(properties.codecs.size())),
        places_(memory.array<AttributePlace>(properties.codecs.size())) {
    item.read(properties.sorted, values_, places_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Element& value = values_[i];
      if (value.is_nil()) continue;
      suspicious_ = suspicious_ || is_suspicious(properties.codecs[i], value);
      if (!value.has_text()) value.spell(memory.text(value.text_bytes_max()));
    }
  }

  [[nodiscard]] const CompiledConfig& config() const { return config_; }
  /// For what is made from them.
  [[nodiscard]] KeyMemory& memory() const { return memory_; }
  [[nodiscard]] const std::string& name(std::size_t place) const { return properties_.sorted.names[place]; }
  const Element& operator[](std::size_t place) const { return values_[place]; }
  /// "" when there is no value.
  [[nodiscard]] std::string_view text(std::size_t place) const { return values_[place].text(); }

  /// Whether a strict config may refuse any of the values. Only then they must be checked.
  [[nodiscard]] bool may_be_refused() const { return suspicious_; }
  [[nodiscard]] AttributePlace place_in_item(std::size_t place) const { return places_[place]; }

  /// Fails with kInvalidEntity when a strict config refuses the value, because it could not be read back from keys.
  [[nodiscard]] Result<void> check(std::size_t place) const {
    if (values_[place].is_nil()) return {};
    const EntityConfig& names = config_.config();
    const std::string& property = properties_.sorted.names[place];
    DOLMEN_TRY_VOID(check_delimiters(
        config_, property, values_[place],
        {&names.generated_key_delimiter, &names.generated_value_delimiter, &names.shard_key_delimiter}));
    const Codec* codec = properties_.codecs[place];
    return codec != nullptr && !fits(*codec, values_[place]) ? misfit(property) : Result<void>();
  }
  /// The same when it could not be read back from page tokens.
  [[nodiscard]] Result<void> check_range(std::size_t place) const {
    if (values_[place].is_nil()) return {};
    const std::string& property = properties_.sorted.names[place];
    DOLMEN_TRY_VOID(check_delimiters(config_, property, values_[place], {&config_.config().generated_key_delimiter}));
    return properties_.codecs[place]->round_trips(values_[place]) ? Result<void>() : misfit(property);
  }

 private:
  /// Whether a strict config may refuse a value. Keys have no transcode and are never refused.
  [[nodiscard]] bool is_suspicious(const Codec* codec, const Element& value) const {
    return config_.options().strict && codec != nullptr &&
           ((value.has_text() && config_.may_hold_delimiter(value.text())) || !fits(*codec, value));
  }

  [[nodiscard]] bool fits(const Codec& codec, const Element& value) const {
    return codec.round_trips(value) && codec.reads_own_text(value, config_.options().read_raw_elements);
  }

  const CompiledConfig& config_;
  const PropertyList& properties_;
  KeyMemory& memory_;
  std::span<Element> values_;
  std::span<AttributePlace> places_;
  /// Whether any value may be refused. The order of the keys decides which one is reported.
  bool suspicious_ = false;
};

Result<void> check_unique(const CompiledEntity& entity, const KeyInputs& inputs) {
  if (!inputs.text(entity.unique).empty()) {
    if (inputs.may_be_refused()) return inputs.check(entity.unique);
    return {};
  }
  const std::string& property = entity.definition.unique_property;
  if (inputs[entity.unique].is_nil())
    return refuse(Code::kInvalidEntity, "missing item unique property", property, "the item does not have it");
  if (inputs.config().options().strict)
    return refuse(Code::kInvalidEntity, "empty item unique property", property,
                  "an empty text cannot be read back from a key");
  return {};
}

char* write(char* out, std::string_view text) { return out + text.copy(out, text.size()); }

/// Writes the shard's suffix, which has `bump.chars` characters. Returns its end.
char* write_suffix(char* out, const ShardBump& bump, std::uint64_t shard) {
  const auto bits = static_cast<unsigned>(bump.char_bits);
  const std::uint64_t mask = (1U << bits) - 1;
  for (int i = bump.chars - 1; i >= 0; --i) {
    const unsigned shift = static_cast<unsigned>(i) * bits;
    *out++ = shift >= 64 ? '0' : kDigits[shard >> shift & mask];
  }
  return out;
}

// Each of these sets `key` to a text in the memory of the inputs. It is no result, because results are copied through
// memory.

/// The hash key of an entity that was made under a bump.
Result<void> make_hash_key_under(const CompiledEntity& entity, const KeyInputs& inputs, const ShardBump& bump,
                                 std::string_view& key) {
  key = entity.hash_prefix;
  if (bump.chars == 0) return {};
  DOLMEN_TRY_VOID(check_unique(entity, inputs));
  const std::uint32_t hash = string_hash(inputs.text(entity.unique));
  const std::uint64_t shards = modulus(bump, inputs.config().options().legacy_modulus);
  const std::uint64_t shard = shards == 0 ? hash : hash % shards;
  char* const begin = inputs.memory().text(entity.hash_prefix.size() + static_cast<std::size_t>(bump.chars));
  // The digits that the legacy modulus needs fit into the suffix, since chars * radix <= radix ** chars from 1 on.
  key = {begin, write_suffix(write(begin, entity.hash_prefix), bump, shard)};
  return {};
}

Result<void> make_hash_key(const CompiledEntity& entity, const KeyInputs& inputs, std::string_view& key) {
  DOLMEN_TRY(const ShardBump bump, bump_at(entity, inputs[entity.timestamp]));
  if (inputs.may_be_refused()) DOLMEN_TRY_VOID(inputs.check(entity.timestamp));
  return make_hash_key_under(entity, inputs, bump, key);
}

Result<void> make_range_key(const CompiledEntity& entity, const KeyInputs& inputs, std::string_view& key) {
  DOLMEN_TRY_VOID(check_unique(entity, inputs));
  const std::string_view unique = inputs.text(entity.unique);
  char* const begin = inputs.memory().text(entity.range_prefix.size() + unique.size());
  key = {begin, write(write(begin, entity.range_prefix), unique)};
  return {};
}

/// False when the property is sharded and an element is missing. `places` says where the elements are among the inputs.
Result<bool> encode(const CompiledGenerated& property, const KeyInputs& inputs, const std::vector<std::size_t>& places,
                    std::string_view hash_key, std::string_view& key) {
  if (!property.sharded) hash_key = {};
  std::size_t size = hash_key.size() + property.prefix_bytes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (inputs.may_be_refused()) DOLMEN_TRY_VOID(inputs.check(places[i]));
    const std::string_view value = inputs.text(places[i]);
    size += value.size();
    if (!property.sharded || !value.empty()) continue;
    if (inputs[places[i]].is_nil()) return false;
    if (inputs.config().options().strict)
      return refuse(Code::kInvalidEntity, fmt::format("{} is empty", property.elements[i]), property.elements[i],
                    "an empty text cannot be read back from a sharded key; see EntityOptions::strict");
  }
  char* const begin = inputs.memory().text(size);
  char* end = write(begin, hash_key);
  for (std::size_t i = 0; i < places.size(); ++i) end = write(write(end, property.prefixes[i]), inputs.text(places[i]));
  key = {begin, end};
  return true;
}

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

std::byte* KeyMemory::allocate_more(std::size_t bytes) {
  return more_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
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
                "it must be a number of at least 0");
}

void append_suffix(std::string& out, const ShardBump& bump, std::uint64_t shard) {
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(bump.chars));
  write_suffix(out.data() + before, bump, shard);
}

Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, const CompiledGenerated& property,
                                                    const ElementSource& item, std::string_view hash_key) {
  KeyMemory memory;
  const KeyInputs inputs(config, property.inputs, item, memory);
  std::string_view text;
  DOLMEN_TRY(const bool made, encode(property, inputs, property.places, hash_key, text));
  return made ? std::optional<std::string>(text) : std::nullopt;
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
  const KeyInputs inputs(config, entity.properties, item, memory);
  if (!overwrite && inputs[entity.hash_key.place].is_truthy()) return std::nullopt;
  std::string_view key;
  DOLMEN_TRY_VOID(make_hash_key(entity, inputs, key));
  return std::string(key);
}

Result<std::vector<std::string>> hash_keys_of_bumps(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item) {
  KeyMemory memory;
  const KeyInputs inputs(config, entity.properties, item, memory);
  std::vector<std::string> keys;
  for (const ShardBump& bump : entity.definition.shard_bumps | std::views::reverse) {
    std::string_view key;
    DOLMEN_TRY_VOID(make_hash_key_under(entity, inputs, bump, key));
    keys.emplace_back(key);
  }
  return keys;
}

Result<std::optional<std::string>> range_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item, bool overwrite) {
  KeyMemory memory;
  const KeyInputs inputs(config, entity.properties, item, memory);
  if (!overwrite && inputs[entity.range_key.place].is_truthy()) return std::nullopt;
  std::string_view key;
  DOLMEN_TRY_VOID(make_range_key(entity, inputs, key));
  return std::string(key);
}

Result<std::span<const TextChange>> key_changes(const CompiledConfig& config, const CompiledEntity& entity,
                                                const ElementSource& item, bool overwrite, KeyMemory& memory) {
  const KeyInputs inputs(config, entity.properties, item, memory);
  const std::span<TextChange> changes = memory.array<TextChange>(entity.generated.size() + 2);
  // The change of a key, which is a text until it is known to be missing.
  const auto change_of = [&](const CompiledEntity::Key& key) -> TextChange& {
    TextChange& change = changes[key.rank];
    change.name = inputs.name(key.place);
    change.place = inputs.place_in_item(key.place);
    change.kind = TextChange::Kind::kSet;
    return change;
  };
  std::string_view hash_key = inputs.text(entity.hash_key.place);
  if (overwrite || !inputs[entity.hash_key.place].is_truthy()) {
    TextChange& made = change_of(entity.hash_key);
    DOLMEN_TRY_VOID(make_hash_key(entity, inputs, made.text));
    hash_key = made.text;
  }
  if (overwrite || !inputs[entity.range_key.place].is_truthy())
    DOLMEN_TRY_VOID(make_range_key(entity, inputs, change_of(entity.range_key).text));
  for (std::size_t i = 0; i < entity.generated.size(); ++i) {
    const CompiledEntity::Key& key = entity.generated[i];
    if (!overwrite && !inputs[key.place].is_nil()) continue;
    TextChange& made = change_of(key);
    DOLMEN_TRY(const bool exists, encode(config.generated()[i], inputs, key.inputs, hash_key, made.text));
    if (!exists) made.kind = TextChange::Kind::kRemove;
  }
  if (inputs.may_be_refused())
    for (const std::size_t place : entity.index_ranges) DOLMEN_TRY_VOID(inputs.check_range(place));
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
