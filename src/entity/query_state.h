#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dolmen/entity/query.h"
#include "entity/compiled.h"
#include "entity/hash_key_space.h"
#include "entity/indexes.h"

namespace dolmen::entity {

/// The time in milliseconds since 1970, the unit of entity timestamps.
std::int64_t now_ms(const EntityOptions& options);

/// The position of a query in one shard of one index.
struct Shard {
  enum class Place : std::uint8_t { kNotStarted, kAtPageKey, kExhausted };

  std::size_t index = 0;
  std::size_t hash_key = 0;
  Place place = Place::kNotStarted;
  /// Used by kAtPageKey only.
  std::optional<Item> page_key = std::nullopt;
  std::uint64_t calls = 0;
  std::uint64_t items = 0;

  void go_on_at(std::optional<Item> next) {
    place = next ? Place::kAtPageKey : Place::kExhausted;
    page_key = std::move(next);
  }
};

/// A query between its options and its result: all shards of all indexes.
struct QueryState {
  const CompiledEntity* entity = nullptr;
  /// In the order in which they are asked; tokens list them in the order of their names.
  std::vector<const CompiledIndex*> indexes;
  std::vector<std::string> hash_keys;
  /// The hash keys of the first index, then those of the second, and so on. Empty when there is nothing to ask.
  std::vector<Shard> shards;
  std::size_t limit = 0;
  std::uint32_t page_size = 0;
  std::size_t throttle = 1;
  /// Whether shards are waited for; else the query goes on where they answer.
  bool waits = true;

  [[nodiscard]] const std::string& index_name(const Shard& shard) const {
    return indexes[shard.index]->definition.name;
  }
  [[nodiscard]] bool has_more() const;
};

/// Checks the options and reads the page token.
Result<QueryState> open_query(const CompiledConfig& config, const EntityQueryOptions& options);

/// The token of the query's position. Other languages can read it unless a shard was not started.
Result<std::string> write_token(const CompiledConfig& config, const QueryState& state);

}  // namespace dolmen::entity
