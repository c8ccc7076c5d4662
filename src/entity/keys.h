#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entity/compiled.h"
#include "entity/element.h"

/// The keys of entities: what their hash keys, range keys and generated properties are made of, and how those are read.
namespace dolmen::entity {

/// The bump that a moment falls under. Fails with kInvalidEntity when the moment is no number from 0 on.
Result<ShardBump> bump_at(const CompiledEntity& entity, const Element& timestamp);

/// Appends the shard's suffix: `shard` in digits of 2^char_bits, padded to `chars`.
void append_suffix(std::string& out, const ShardBump& bump, std::uint64_t shard);

/// "user!0f", by the entity's timestamp and unique property.
Result<std::string> make_hash_key(const CompiledConfig& config, const CompiledEntity& entity,
                                  const ElementSource& item);

/// "userId#abc".
Result<std::string> make_range_key(const CompiledConfig& config, const CompiledEntity& entity,
                                   const ElementSource& item);

/// A generated property, with the given hash key before it when it is sharded. Nothing when it is sharded and an
/// element is missing.
Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, const CompiledGenerated& property,
                                                    const ElementSource& item, std::string_view hash_key);

/// The same by name and with the item's own hash key. Fails with kInvalidArgument, "invalid generated property".
Result<std::optional<std::string>> encode_generated(const CompiledConfig& config, std::string_view property,
                                                    const ElementSource& item);

/// The elements of a generated property or range key, with the hash key when there is one before them. An element
/// without a value is there and undefined.
Result<ElementList> decode_generated(const CompiledConfig& config, std::string_view encoded);

/// What becomes of one key property of an item: a text, or nothing at all.
struct KeyChange {
  std::string_view token;
  std::optional<std::string> text;
};

/// Everything that `addKeys` does to an item: only what changes. With `overwrite` also what is there already.
Result<std::vector<KeyChange>> key_changes(const CompiledConfig& config, const CompiledEntity& entity,
                                           const ElementSource& item, bool overwrite);

/// The same for one global key each; nothing when the item keeps what it has.
Result<std::optional<std::string>> hash_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                   const ElementSource& item, bool overwrite);
Result<std::optional<std::string>> range_key_change(const CompiledConfig& config, const CompiledEntity& entity,
                                                    const ElementSource& item, bool overwrite);

/// The text of one property by its transcode; nothing when it is undefined or "". Global keys are their own text.
Result<std::optional<std::string>> encode_element(const CompiledConfig& config, std::string_view element,
                                                  const ElementSource& item);

/// Undefined for "". Fails with kInvalidArgument, "invalid transcoded property".
Result<EntityValue> decode_element(const CompiledConfig& config, std::string_view element, std::string_view text);

/// Fails with kInvalidEntity unless a value can stand in keys and be read back from them. `codec` is the property's, if
/// it has one.
Result<void> check_strictly(const CompiledConfig& config, std::string_view property, const Codec* codec,
                            const Element& value);

}  // namespace dolmen::entity
