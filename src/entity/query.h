#pragma once

#include "dolmen/entity/query.h"
#include "entity/compiled.h"
#include "entity/query_state.h"

namespace dolmen::entity {

using Pages = std::vector<std::vector<Item>>;

/// Each entity of the pages once, and sorted.
Result<std::vector<Item>> ordered_items(const CompiledConfig& config, const CompiledEntity& entity,
                                        const std::vector<SortField>& sort, Pages pages);

/// One page of a query over shards.
Result<EntityQueryResult> run_query(const CompiledConfig& config, const EntityQueryOptions& options);

/// Asks the named shards for a page each and advances them; returns their items shard by shard. Fails with
/// kShardQueriesFailed and a detail for each failure, in the order of the shards.
Result<Pages> ask_shards(const EntityQueryOptions& options, QueryState& state, const std::vector<std::size_t>& shards,
                         std::uint32_t page_size);

/// The items of one page, merged from all shards in the order of the range key.
Result<std::vector<Item>> merge_shards(const CompiledConfig& config, const EntityQueryOptions& options,
                                       QueryState& state);

}  // namespace dolmen::entity
