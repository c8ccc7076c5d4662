#pragma once

#include "dolmen/entity_query.h"
#include "entity/compiled.h"
#include "entity/query_state.h"

namespace dolmen::entity {

/// One page of a query over shards.
Result<EntityQueryResult> run_query(const CompiledConfig& config, const EntityQueryOptions& options);

/// Asks the named shards for a page each and moves them on; what they gave, shard by shard. Fails with
/// kShardQueriesFailed and a detail for each failure, in the order of the shards.
Result<std::vector<std::vector<Item>>> ask_shards(const EntityQueryOptions& options, QueryState& state,
                                                  const std::vector<std::size_t>& shards, std::uint32_t page_size);

/// The items of a page that is merged from all shards in the order of the range key.
Result<std::vector<Item>> merge_shards(const CompiledConfig& config, const EntityQueryOptions& options,
                                       QueryState& state);

}  // namespace dolmen::entity
