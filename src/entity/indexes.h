#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "entity/compiled.h"
#include "entity/element.h"

/// The components of an index, and the short form of a place in it.
namespace dolmen::entity {

using Tokens = std::vector<std::string>;

inline bool contains(const Tokens& tokens, std::string_view token) {
  return std::ranges::find(tokens, token) != tokens.end();
}

/// The properties of an entity from which the keys of an index are finally made, without those of `omit`: each once, in
/// the order of UTF-16 units. The global hash key stands for the timestamp property, the range key for the unique one.
Tokens unwrap_index(const CompiledConfig& config, const CompiledEntity& entity, const CompiledIndex& index,
                    const Tokens& omit);

/// The first index with these keys. Fails with kInvalidArgument.
Result<std::string> find_index(const CompiledConfig& config, std::string_view hash_key, std::string_view range_key);

/// An element of a place in an index.
struct PlaceElement {
  std::string name;
  /// Null for an element without one.
  const Codec* codec;
};
using PlaceElements = std::vector<PlaceElement>;

/// The elements of a place in an index: all except those of its hash key.
PlaceElements dehydrated_elements(const CompiledConfig& config, const CompiledEntity& entity,
                                  const CompiledIndex& index);

/// Appends the encoded elements of an item with delimiters between them.
Result<void> dehydrate(const CompiledConfig& config, const PlaceElements& elements, const ElementSource& item,
                       std::string& out);

/// The other way; elements without a value are left out. Fails with kInvalidPageToken, "index rehydration key-value
/// mismatch".
Result<ElementList> rehydrate(const CompiledConfig& config, const PlaceElements& elements, std::string_view dehydrated);

}  // namespace dolmen::entity
