#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

/// Temporary memory for making keys, which usually fits into the object itself.
class KeyMemory {
 public:
  // Not `= default`: the room is not initialised, because little of it is used.
  KeyMemory() {}  // NOLINT(modernize-use-equals-default)
  KeyMemory(const KeyMemory&) = delete;
  KeyMemory& operator=(const KeyMemory&) = delete;

  /// So many values without content.
  template <class T>
    requires std::is_trivially_destructible_v<T>
  std::span<T> array(std::size_t count) {
    const std::span<T> values = room<T>(count);
    std::uninitialized_value_construct_n(values.data(), count);
    return values;
  }
  /// Memory for so many values, which the caller makes.
  template <class T>
    requires std::is_trivially_destructible_v<T>
  std::span<T> room(std::size_t count) {
    return {reinterpret_cast<T*>(allocate(count * sizeof(T))), count};
  }
  /// Room for `bytes` bytes.
  char* text(std::size_t bytes) { return reinterpret_cast<char*>(allocate(bytes)); }

 private:
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);

  std::byte* allocate(std::size_t bytes) {
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (rounded > room_.size() - used_) [[unlikely]]
      return allocate_more(bytes);
    return room_.data() + std::exchange(used_, used_ + rounded);
  }
  std::byte* allocate_more(std::size_t bytes);

  alignas(kAlignment) std::array<std::byte, 4096> room_;
  std::size_t used_ = 0;
  /// What did not fit.
  std::vector<std::unique_ptr<std::byte[]>> more_;
};

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
