#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/entity/manager.h"
#include "dolmen/expression.h"
#include "dolmen/nearest.h"
#include "dolmen/value.h"

namespace dolmen {

/// What is asked of a search for the nearest entities.
struct EntitySearchOptions {
  /// 1 to 100.
  std::uint32_t top_k = 10;
  /// Properties that the index has as filters, each with `==`, joined by `&&`.
  Condition where = {};
  /// With the elements of the index's hash key when that is a sharded property.
  Item item = {};
  /// When the entities were made, which decides which shards are asked.
  EntityWindow made = {};
  /// What comes back of an entity: all that the index has, without the vector, when nothing is named.
  std::vector<std::string> project = {};
  /// Searches of shards under way at a time. The config's when nothing is said.
  std::optional<std::int64_t> throttle = std::nullopt;
};

}  // namespace dolmen
