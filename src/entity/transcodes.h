#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/entity/config.h"
#include "entity/element.h"

namespace dolmen::entity {

/// One of the eight default transcodes. They work on elements without copying texts.
struct BuiltinTranscode {
  std::string_view name;
  KeyType key_type;
  /// Appends the text of a value; false when the value is of another kind.
  bool (*encode)(const Element& value, std::string& out);
  /// Nothing when the text is not an encoded value.
  std::optional<EntityValue> (*decode)(std::string_view text);
  /// Reads the raw text of a value, which generated properties hold.
  std::optional<EntityValue> (*decode_raw)(std::string_view text);
  /// Whether the value is of this kind and reads back unchanged.
  bool (*round_trips)(const Element& value);
  /// Whether the text is the value, encoded or raw.
  bool plain = false;
};

/// Null when no transcode has that name.
const BuiltinTranscode* find_builtin_transcode(std::string_view name);

}  // namespace dolmen::entity
