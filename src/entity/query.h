#pragma once

#include "dolmen/coroutine.h"
#include "dolmen/entity/query.h"
#include "entity/compiled.h"
#include "entity/query_state.h"

namespace dolmen::entity {

using Pages = std::vector<std::vector<Item>>;

/// Each entity of the pages once, and sorted.
Result<std::vector<Item>> ordered_items(const CompiledConfig& config, const CompiledEntity& entity,
                                        const std::vector<SortField>& sort, Pages pages);

/// Whether a query waits for its shards, or goes on when they answer.
enum class Waiting : std::uint8_t { kWaits, kGoesOn };

/// One page of a query over shards. With kWaits it is done when it is first asked for.
Task<Result<EntityQueryResult>> query_task(const CompiledConfig& config, EntityQueryOptions options, Waiting waiting);

/// The same at once.
Result<EntityQueryResult> run_query(const CompiledConfig& config, const EntityQueryOptions& options);

/// Asks the named shards for a page each and advances them; returns their items shard by shard. Fails with
/// kShardQueriesFailed and a detail for each reason of each index, which lists the shards.
Task<Result<Pages>> ask_shards(const EntityQueryOptions& options, QueryState& state, std::vector<std::size_t> shards,
                               std::uint32_t page_size);

/// The items of one page, merged from all shards in the order of the range key.
Task<Result<std::vector<Item>>> merge_shards(const CompiledConfig& config, const EntityQueryOptions& options,
                                             QueryState& state);

}  // namespace dolmen::entity
