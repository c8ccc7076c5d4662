#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entity/compiled.h"
#include "entity/element.h"
#include "entity/key_memory.h"

/// Making the keys of one item.
namespace dolmen::entity {

/// The properties of an item from which keys are made, read at once with their texts; and the keys.
class KeyMaker {
 public:
  /// What became of a key.
  enum class Made : std::uint8_t {
    kText,
    kNothing,  ///< the property is sharded and an element is missing
    kRefused,  ///< `refusal` says why
  };

  /// All of these must outlive it.
  KeyMaker(const CompiledConfig& config, const PropertyList& properties, const ElementSource& item, KeyMemory& memory);

  [[nodiscard]] const std::string& name(std::size_t place) const { return properties_.sorted.names[place]; }
  [[nodiscard]] AttributePlace place_in_item(std::size_t place) const { return places_[place]; }
  const Element& operator[](std::size_t place) const { return values_[place]; }
  /// "" when there is no value.
  [[nodiscard]] std::string_view text(std::size_t place) const { return values_[place].text(); }

  // Each of these sets `key` to a text in the memory, or of the config. They return no Result, because those are copied
  // through memory.

  [[nodiscard]] Made hash_key(const CompiledEntity& entity, std::string_view& key);
  /// The one of an entity that was made under a bump.
  [[nodiscard]] Made hash_key_under(const CompiledEntity& entity, const ShardBump& bump, std::string_view& key);
  [[nodiscard]] Made range_key(const CompiledEntity& entity, std::string_view& key);
  /// `places` says where the elements are among the properties.
  [[nodiscard]] Made generated(const CompiledGenerated& property, const std::vector<std::size_t>& places,
                               std::string_view hash_key, std::string_view& key);
  /// Refuses values that could not be read back from page tokens.
  [[nodiscard]] Made check_ranges(std::span<const std::size_t> places);

  /// Why the item was refused.
  [[nodiscard]] std::unexpected<Error> refusal() { return std::unexpected(std::move(*refusal_)); }

 private:
  /// Whether a strict config may refuse a value of a property with a transcode. Keys have none and are never refused.
  [[nodiscard]] bool is_suspicious(const Codec& codec, const Element& value) const;
  [[nodiscard]] bool fits(const Codec& codec, const Element& value) const;
  Made refuse(std::unexpected<Error> why);

  // Each of these is needed only in rare cases, and refuses or returns kText.
  /// Refuses a value that could not be read back from keys, when the config is strict.
  Made check(std::size_t place);
  Made check_unique(const CompiledEntity& entity);
  /// Also returns kNothing.
  Made check_elements(const CompiledGenerated& property, const std::vector<std::size_t>& places);

  const CompiledConfig& config_;
  const PropertyList& properties_;
  KeyMemory& memory_;
  std::span<Element> values_;
  std::span<AttributePlace> places_;
  /// Whether a strict config may refuse any of the values. Only then they must be checked: the order of the keys
  /// decides which one is reported.
  bool suspicious_ = false;
  std::optional<Error> refusal_;
};

/// The bump that a moment falls under. Null when the moment is not a number of at least 0.
const ShardBump* find_bump(const CompiledEntity& entity, const Element& timestamp);

/// Writes the shard's suffix, which has `bump.chars` characters. Returns its end.
char* write_suffix(char* out, const ShardBump& bump, std::uint64_t shard);

}  // namespace dolmen::entity
