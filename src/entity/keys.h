#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entity/compiled.h"
#include "entity/element.h"
#include "entity/key_memory.h"
#include "value/item_parts.h"

/// The keys of entities: how hash keys, range keys and generated properties are made and read.
namespace dolmen::entity {

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

/// The changes that `addKeys` makes to the keys of an item, in the order of their names. With `overwrite` it also
/// replaces existing keys. Their places are set for an `ItemView`. `memory` must outlive them.
Result<std::span<const TextChange>> key_changes(const CompiledConfig& config, const CompiledEntity& entity,
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
