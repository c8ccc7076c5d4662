#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entity/compiled.h"
#include "entity/element.h"

namespace dolmen::entity {

/// A span of time that includes both ends.
struct TimeWindow {
  double from = 0;
  double to = 0;
};

/// The bumps under which items can have been written within the window.
std::vector<ShardBump> bumps_in(const CompiledEntity& entity, const TimeWindow& window);

/// The number of shards of all bumps together, at most UINT64_MAX.
std::uint64_t shard_count(const std::vector<ShardBump>& bumps);

/// Every value of an entity's global hash key, or of a sharded property of items like this one, shard after shard.
/// Fails with kInvalidArgument for another token, with kInvalidEntity when the item lacks an element, and with
/// kLimitExceeded when there are more than `EntityOptions::hash_key_space_max`.
Result<std::vector<std::string>> hash_key_space(const CompiledConfig& config, const CompiledEntity& entity,
                                                std::string_view hash_key_token, const ElementSource& item,
                                                const std::vector<ShardBump>& bumps);

}  // namespace dolmen::entity
