#include "entity/key_maker.h"

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <ranges>

#include "base/text_buffer.h"
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

std::unexpected<Error> wrong_timestamp(const CompiledEntity& entity, const Element& timestamp) {
  const std::string& property = entity.definition.timestamp_property;
  if (timestamp.is_nil())
    return refuse(Code::kInvalidEntity, "missing item timestamp property", property, "the item does not have it");
  return refuse(Code::kInvalidEntity, "invalid item timestamp property", property, "it must be a number of at least 0");
}

}  // namespace

KeyMaker::KeyMaker(const CompiledConfig& config, const PropertyList& properties, const ElementSource& item,
                   KeyMemory& memory)
    : config_(config),
      properties_(properties),
      memory_(memory),
      values_(memory.room<Element>(properties.codecs.size())),
      places_(memory.room<AttributePlace>(properties.codecs.size())) {
  item.read(properties.sorted, values_, places_);
  const bool strict = config.options().strict;
  const Codec* const* next = properties.codecs.data();
  for (Element& value : values_) {
    const Codec* const codec = *next++;
    if (value.is_nil()) continue;
    if (strict && !suspicious_ && codec != nullptr) suspicious_ = is_suspicious(*codec, value);
    if (!value.has_text()) value.spell(memory.text(value.text_bytes_max()));
  }
}

inline bool KeyMaker::is_suspicious(const Codec& codec, const Element& value) const {
  if (value.has_text() && config_.may_hold_delimiter(value.text())) return true;
  const bool is_plain_text = codec.is_plain() && value.kind() == Element::Kind::kString;
  return !is_plain_text && !fits(codec, value);
}

bool KeyMaker::fits(const Codec& codec, const Element& value) const {
  return codec.round_trips(value) && codec.reads_own_text(value, config_.options().read_raw_elements);
}

KeyMaker::Made KeyMaker::refuse(std::unexpected<Error> why) {
  refusal_ = std::move(why).error();
  return Made::kRefused;
}

KeyMaker::Made KeyMaker::check(std::size_t place) {
  if (!suspicious_ || values_[place].is_nil()) return Made::kText;
  const EntityConfig& names = config_.config();
  const std::string& property = name(place);
  if (Result<void> checked = check_delimiters(
          config_, property, values_[place],
          {&names.generated_key_delimiter, &names.generated_value_delimiter, &names.shard_key_delimiter});
      !checked)
    return refuse(std::unexpected(std::move(checked).error()));
  const Codec* codec = properties_.codecs[place];
  return codec != nullptr && !fits(*codec, values_[place]) ? refuse(misfit(property)) : Made::kText;
}

KeyMaker::Made KeyMaker::check_ranges(std::span<const std::size_t> places) {
  if (!suspicious_) return Made::kText;
  for (const std::size_t place : places) {
    if (values_[place].is_nil()) continue;
    const std::string& property = name(place);
    if (Result<void> checked =
            check_delimiters(config_, property, values_[place], {&config_.config().generated_key_delimiter});
        !checked)
      return refuse(std::unexpected(std::move(checked).error()));
    if (!properties_.codecs[place]->round_trips(values_[place])) return refuse(misfit(property));
  }
  return Made::kText;
}

KeyMaker::Made KeyMaker::check_unique(const CompiledEntity& entity) {
  if (!text(entity.unique).empty()) return check(entity.unique);
  const std::string& property = entity.definition.unique_property;
  if (values_[entity.unique].is_nil())
    return refuse(
        entity::refuse(Code::kInvalidEntity, "missing item unique property", property, "the item does not have it"));
  if (config_.options().strict)
    return refuse(entity::refuse(Code::kInvalidEntity, "empty item unique property", property,
                                 "an empty text cannot be read back from a key"));
  return Made::kText;
}

KeyMaker::Made KeyMaker::check_elements(const CompiledGenerated& property, const std::vector<std::size_t>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (check(places[i]) == Made::kRefused) return Made::kRefused;
    if (!property.sharded || !text(places[i]).empty()) continue;
    if (values_[places[i]].is_nil()) return Made::kNothing;
    if (config_.options().strict)
      return refuse(entity::refuse(Code::kInvalidEntity, fmt::format("{} is empty", property.elements[i]),
                                   property.elements[i],
                                   "an empty text cannot be read back from a sharded key; see EntityOptions::strict"));
  }
  return Made::kText;
}

KeyMaker::Made KeyMaker::hash_key(const CompiledEntity& entity, std::string_view& key) {
  const Element& timestamp = values_[entity.timestamp];
  const ShardBump* bump = find_bump(entity, timestamp);
  if (bump == nullptr) return refuse(wrong_timestamp(entity, timestamp));
  if (check(entity.timestamp) == Made::kRefused) return Made::kRefused;
  return hash_key_under(entity, *bump, key);
}

KeyMaker::Made KeyMaker::hash_key_under(const CompiledEntity& entity, const ShardBump& bump, std::string_view& key) {
  key = entity.hash_prefix;
  if (bump.chars == 0) return Made::kText;
  if (check_unique(entity) == Made::kRefused) return Made::kRefused;
  const std::uint32_t hash = string_hash(text(entity.unique));
  const std::uint64_t shards = modulus(bump, config_.options().legacy_modulus);
  const std::uint64_t shard = shards == 0 ? hash : hash % shards;
  char* const begin = memory_.text(entity.hash_prefix.size() + static_cast<std::size_t>(bump.chars));
  // The digits that the legacy modulus needs fit into the suffix, since chars * radix <= radix ** chars from 1 on.
  key = {begin, write_suffix(copy_text(begin, entity.hash_prefix), bump, shard)};
  return Made::kText;
}

KeyMaker::Made KeyMaker::range_key(const CompiledEntity& entity, std::string_view& key) {
  if (check_unique(entity) == Made::kRefused) return Made::kRefused;
  const std::string_view unique = text(entity.unique);
  char* const begin = memory_.text(entity.range_prefix.size() + unique.size());
  key = {begin, copy_text(copy_text(begin, entity.range_prefix), unique)};
  return Made::kText;
}

KeyMaker::Made KeyMaker::generated(const CompiledGenerated& property, const std::vector<std::size_t>& places,
                                   std::string_view hash_key, std::string_view& key) {
  std::size_t size = property.prefix_bytes;
  bool complete = true;
  for (const std::size_t place : places) {
    const std::size_t bytes = text(place).size();
    size += bytes;
    complete &= bytes > 0;
  }
  if (suspicious_ || (property.sharded && !complete)) [[unlikely]]
    if (const Made checked = check_elements(property, places); checked != Made::kText) return checked;
  if (property.sharded) size += hash_key.size();
  char* const begin = memory_.text(size);
  char* end = property.sharded ? copy_text(begin, hash_key) : begin;
  const std::string* prefix = property.prefixes.data();
  for (const std::size_t place : places) end = copy_text(copy_text(end, *prefix++), text(place));
  key = {begin, end};
  return Made::kText;
}

const ShardBump* find_bump(const CompiledEntity& entity, const Element& timestamp) {
  const double time = moment(timestamp);
  for (const ShardBump& bump : entity.definition.shard_bumps | std::views::reverse)
    if (static_cast<double>(bump.timestamp) <= time) return &bump;
  return nullptr;
}

char* write_suffix(char* out, const ShardBump& bump, std::uint64_t shard) {
  const auto bits = static_cast<unsigned>(bump.char_bits);
  const std::uint64_t mask = (1U << bits) - 1;
  for (int i = bump.chars - 1; i >= 0; --i) {
    const unsigned shift = static_cast<unsigned>(i) * bits;
    *out++ = shift >= 64 ? '0' : kDigits[shard >> shift & mask];
  }
  return out;
}

}  // namespace dolmen::entity
