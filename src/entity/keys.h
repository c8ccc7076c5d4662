#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entity/compiled.h"
#include "entity/element.h"
#include "value/item_parts.h"

/// The keys of entities: how hash keys, range keys and generated properties are made and read.
namespace dolmen::entity {

/// The bump that a moment falls under. Fails with kInvalidEntity when the moment is not a number of at least 0.
Result<ShardBump> bump_at(const CompiledEntity& entity, const Element& timestamp);

/// Appends the shard's suffix: `shard` in digits of 2^char_bits, padded to `chars`.
void append_suffix(std::string& out, const ShardBump& bump, std::uint64_t shard);

/// A generated property, prefixed with the given hash key when it is sharded. Nothing when it is sharded and an element
/// is missing.
Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, const CompiledGenerated& property,
                                                    const ElementSource& item, std::string_view hash_key);

/// The same by name and with the item's own hash key. Fails with kInvalidArgument, "invalid generated property".
Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, std::string_view property,
                                                    const ElementSource& item);

/// Sets the elements of a generated property or range key, and the hash key when there is one before them. An element
/// without a value is there and undefined. `encoded` must outlive them.
Result<void> decode_generated(const CompiledConfig& config, std::string_view encoded, ElementViews& item);
/// The same as owned values.
Result<ElementList> decode_generated(const CompiledConfig& config, std::string_view encoded);

/// A base class, so that it is there before the resource that uses it.
struct KeyRoom {
  std::array<std::byte, 2048> room;
};

/// Temporary memory for making keys, which usually fits into the object itself.
class KeyMemory : private KeyRoom, public std::pmr::monotonic_buffer_resource {
 public:
  KeyMemory() : monotonic_buffer_resource(room.data(), room.size()) {}

  std::span<Element> elements(std::size_t count) {
    auto* begin = static_cast<Element*>(allocate(count * sizeof(Element), alignof(Element)));
    std::uninitialized_value_construct_n(begin, count);
    return {begin, count};
  }
  /// Room for `bytes` bytes.
  char* text(std::size_t bytes) { return static_cast<char*>(allocate(bytes, 1)); }
};

/// The changes that `addKeys` makes to the keys of an item, in the order of their names. With `overwrite` it also
/// replaces existing keys. `memory` must outlive them.
Result<std::pmr::vector<TextChange>> key_changes(const CompiledConfig& config, const CompiledEntity& entity,
                                                 const ElementSource& item, bool overwrite, KeyMemory& memory);

/// The same for one global key each, "user!0f" and "userId#abc"; nothing when the item keeps its key.
Result<std::optional<std::string>> hash_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                   const ElementSource& item, bool overwrite);
Result<std::optional<std::string>> range_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item, bool overwrite);

/// The hash keys that an entity with the item's unique property has under each bump, the newest bump first.
Result<std::vector<std::string>> hash_keys_of_bumps(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item);

/// Appends the text of one property by its transcode; nothing when it is undefined. Global keys are appended as is.
/// Fails with kInvalidArgument, "invalid transcoded property", without a transcode.
Result<void> encode_element(const CompiledConfig& config, std::string_view name, const Codec* codec,
                            const Element& value, std::string& out);

/// The reverse; undefined for "".
Result<EntityValue> decode_element(std::string_view name, const Codec* codec, std::string_view text);

}  // namespace dolmen::entity
