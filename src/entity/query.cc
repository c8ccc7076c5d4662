#include "entity/query.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>

#include "base/fail.h"
#include "entity/item_source.h"
#include "entity/order.h"
#include "entity/shard_run.h"

namespace dolmen::entity {

namespace {

using Place = Shard::Place;

Error failure_of(const QueryState& state, const std::vector<std::size_t>& shards, const ShardOutcomes& outcomes) {
  std::vector<ErrorDetail> details;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i] || *outcomes[i]) continue;
    const Shard& shard = state.shards[shards[i]];
    const Error& error = outcomes[i]->error();
    details.push_back({fmt::format("{} {}", state.index_name(shard), state.hash_keys[shard.hash_key]),
                       std::string(code_name(error.code())), error.message()});
  }
  std::string message = fmt::format("{} of {} shard queries failed; the first, {}: {}", details.size(), outcomes.size(),
                                    details.front().path, details.front().message);
  return {Code::kShardQueriesFailed, std::move(message), std::move(details)};
}

/// The shards to ask next. When the last ones returned too few items, asks twice as many as should suffice.
std::vector<std::size_t> next_shards(const CompiledConfig& config, const EntityQueryOptions& options,
                                     const QueryState& state, std::size_t found, unsigned round) {
  std::vector<std::size_t> next;
  const std::size_t enough = (state.limit - found - 1) / state.page_size + 1;
  const std::size_t most = options.fan_out == FanOut::kShrinking && round < 32 && enough < state.shards.size()
                               ? enough << round
                               : state.shards.size();
  for (std::size_t i = 0; i < state.shards.size() && next.size() < most; ++i)
    if (state.shards[i].place != Place::kExhausted || config.options().requery_exhausted) next.push_back(i);
  return next;
}

/// Asks until there are enough items. Returns the pages in the order of their arrival.
Result<Pages> collect(const CompiledConfig& config, const EntityQueryOptions& options, QueryState& state) {
  Pages all;
  std::size_t found = 0;
  unsigned round = 0;
  do {
    const std::vector<std::size_t> shards = next_shards(config, options, state, found, round++);
    const auto page_size = options.fan_out == FanOut::kShrinking
                               ? std::min<std::size_t>(state.page_size, state.limit - found)
                               : state.page_size;
    DOLMEN_TRY(Pages pages, ask_shards(options, state, shards, static_cast<std::uint32_t>(page_size)));
    for (const std::vector<Item>& page : pages) found += page.size();
    std::ranges::move(pages, std::back_inserter(all));
  } while (state.has_more() && found < state.limit);
  return all;
}

std::vector<ShardStatistics> statistics_of(const QueryState& state) {
  std::vector<ShardStatistics> statistics;
  for (const Shard& shard : state.shards)
    statistics.push_back({.index = state.index_name(shard),
                          .hash_key = state.hash_keys[shard.hash_key],
                          .calls = shard.calls,
                          .items = shard.items,
                          .more = shard.place != Place::kExhausted});
  return statistics;
}

}  // namespace

Result<std::vector<Item>> ordered_items(const CompiledConfig& config, const CompiledEntity& entity,
                                        const std::vector<SortField>& sort, Pages pages) {
  std::vector<Item*> items;
  items.reserve(
      std::transform_reduce(pages.begin(), pages.end(), std::size_t{0}, std::plus(), std::size<Pages::value_type>));
  for (std::vector<Item>& page : pages)
    for (Item& item : page) items.push_back(&item);
  DOLMEN_TRY(const Rows rows,
             ordered_rows(ItemTableView(config, entity, items), entity.definition.unique_property, sort));
  std::vector<Item> result;
  result.reserve(rows.size());
  for (const std::uint32_t row : rows) result.push_back(std::move(*items[row]));
  return result;
}

Result<Pages> ask_shards(const EntityQueryOptions& options, QueryState& state, const std::vector<std::size_t>& shards,
                         std::uint32_t page_size) {
  ShardOutcomes outcomes = run_shards(
      shards.size(),
      {.throttle = state.throttle, .threads = options.threads, .stop_at_first_failure = options.stop_at_first_failure},
      [&](std::size_t call, ShardDone done) {
        const Shard& shard = state.shards[shards[call]];
        const std::string& index = state.index_name(shard);
        options.shard_queries.at(index)({.index = index,
                                         .hash_key = state.hash_keys[shard.hash_key],
                                         .page_key = shard.page_key,
                                         .page_size = page_size},
                                        std::move(done));
      });
  if (std::ranges::any_of(outcomes, [](const auto& outcome) { return !outcome || !*outcome; }))
    return std::unexpected(failure_of(state, shards, outcomes));
  Pages pages;
  pages.reserve(shards.size());
  for (std::size_t i = 0; i < shards.size(); ++i) {
    Shard& shard = state.shards[shards[i]];
    ShardPage& page = **outcomes[i];
    ++shard.calls;
    shard.items += page.items.size();
    shard.go_on_at(std::move(page.page_key));
    pages.push_back(std::move(page.items));
  }
  return pages;
}

Result<EntityQueryResult> run_query(const CompiledConfig& config, const EntityQueryOptions& options) {
  DOLMEN_TRY(QueryState state, open_query(config, options));
  EntityQueryResult result;
  if (state.has_more()) {
    if (options.fan_out == FanOut::kMerge) {
      DOLMEN_TRY(result.items, merge_shards(config, options, state));
    } else {
      DOLMEN_TRY(Pages pages, collect(config, options, state));
      DOLMEN_TRY(result.items, ordered_items(config, *state.entity, options.sort, std::move(pages)));
    }
  }
  result.count = result.items.size();
  result.has_more = state.has_more();
  DOLMEN_TRY(result.page_token, write_token(config, state));
  if (options.statistics) result.statistics = statistics_of(state);
  return result;
}

}  // namespace dolmen::entity
