#include "entity/query.h"

#include <algorithm>
#include <atomic>
#include <coroutine>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include "base/fail.h"
#include "entity/item_source.h"
#include "entity/order.h"
#include "entity/shard_run.h"

namespace dolmen::entity {

namespace {

using Place = Shard::Place;

/// Shards of one index that failed for the same reason.
struct FailedShards {
  const std::string* index;
  const Error* error;
  std::vector<std::string_view> hash_keys = {};
};

std::vector<FailedShards> failed_shards(const QueryState& state, const std::vector<std::size_t>& shards,
                                        const ShardOutcomes& outcomes) {
  std::vector<FailedShards> groups;
  // Every shard may have a message of its own, and there may be a million of them.
  std::map<std::tuple<std::string_view, Code, std::string_view>, std::size_t> places;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i] || *outcomes[i]) continue;
    const Shard& shard = state.shards[shards[i]];
    const std::string& index = state.index_name(shard);
    const Error& error = outcomes[i]->error();
    const auto [place, is_new] = places.try_emplace({index, error.code(), error.message()}, groups.size());
    if (is_new) groups.push_back({.index = &index, .error = &error});
    groups[place->second].hash_keys.push_back(state.hash_keys[shard.hash_key]);
  }
  return groups;
}

/// "2 shards: user!0, user!1"
std::string listed_shards(const std::vector<std::string_view>& hash_keys) {
  constexpr std::size_t kListedMax = 8;
  const std::size_t count = std::min(hash_keys.size(), kListedMax);
  std::string text =
      fmt::format("{} shard{}: {}", hash_keys.size(), hash_keys.size() == 1 ? "" : "s",
                  fmt::join(hash_keys.begin(), hash_keys.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  if (hash_keys.size() > count) text += fmt::format(" and {} more", hash_keys.size() - count);
  return text;
}

/// A detail for each reason of each index, in the order of the shards.
Error failure_of(const QueryState& state, const std::vector<std::size_t>& shards, const ShardOutcomes& outcomes) {
  std::vector<ErrorDetail> details;
  std::size_t failed = 0;
  for (const FailedShards& group : failed_shards(state, shards, outcomes)) {
    failed += group.hash_keys.size();
    details.push_back({*group.index, std::string(code_name(group.error->code())),
                       fmt::format("{} ({})", group.error->message(), listed_shards(group.hash_keys))});
  }
  std::string message = fmt::format("{} of {} shard queries failed for {}; index {}: {}", failed, outcomes.size(),
                                    details.size() == 1 ? "one reason" : fmt::format("{} reasons", details.size()),
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
Task<Result<Pages>> collect(const CompiledConfig& config, const EntityQueryOptions& options, QueryState& state) {
  Pages all;
  std::size_t found = 0;
  unsigned round = 0;
  do {
    std::vector<std::size_t> shards = next_shards(config, options, state, found, round++);
    const auto page_size = options.fan_out == FanOut::kShrinking
                               ? std::min<std::size_t>(state.page_size, state.limit - found)
                               : state.page_size;
    Result<Pages> pages = co_await ask_shards(options, state, std::move(shards), static_cast<std::uint32_t>(page_size));
    if (!pages) co_return std::unexpected(std::move(pages).error());
    for (const std::vector<Item>& page : *pages) found += page.size();
    std::ranges::move(*pages, std::back_inserter(all));
  } while (state.has_more() && found < state.limit);
  co_return all;
}

/// The outcomes of shard queries, which come on other threads.
class ShardsAwaitable {
 public:
  using Start = std::function<void(std::size_t, ShardDone)>;

  ShardsAwaitable(std::size_t count, const ShardRun& how, Start start)
      : count_(count), how_(how), start_(std::move(start)) {}

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  /// The outcomes may come before `start_shards` returns. Whoever is second goes on.
  bool await_suspend(std::coroutine_handle<> waiting) {
    start_shards(count_, how_, start_, [this, waiting](ShardOutcomes outcomes) {
      outcomes_ = std::move(outcomes);
      if (arrived_.exchange(true, std::memory_order_acq_rel)) waiting.resume();
    });
    return !arrived_.exchange(true, std::memory_order_acq_rel);
  }
  ShardOutcomes await_resume() { return std::move(outcomes_); }

 private:
  std::size_t count_;
  ShardRun how_;
  Start start_;
  ShardOutcomes outcomes_;
  std::atomic<bool> arrived_ = false;
};

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

Task<Result<Pages>> ask_shards(const EntityQueryOptions& options, QueryState& state, std::vector<std::size_t> shards,
                               std::uint32_t page_size) {
  const ShardRun how{
      .throttle = state.throttle, .threads = options.threads, .stop_at_first_failure = options.stop_at_first_failure};
  const ShardsAwaitable::Start start = [&](std::size_t call, ShardDone done) {
    const Shard& shard = state.shards[shards[call]];
    const std::string& index = state.index_name(shard);
    const ShardRequest request{.index = index,
                               .hash_key = state.hash_keys[shard.hash_key],
                               .page_key = shard.page_key,
                               .page_size = page_size};
    options.shard_queries.at(index)(request, std::move(done));
  };
  ShardOutcomes outcomes;
  if (state.waits)
    outcomes = run_shards(shards.size(), how, start);
  else
    outcomes = co_await ShardsAwaitable(shards.size(), how, start);
  if (std::ranges::any_of(outcomes, [](const auto& outcome) { return !outcome || !*outcome; }))
    co_return std::unexpected(failure_of(state, shards, outcomes));
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
  co_return pages;
}

Task<Result<EntityQueryResult>> query_task(const CompiledConfig& config, EntityQueryOptions options, Waiting waiting) {
  Result<QueryState> opened = open_query(config, options);
  if (!opened) co_return std::unexpected(std::move(opened).error());
  QueryState& state = *opened;
  state.waits = waiting == Waiting::kWaits;
  EntityQueryResult result;
  if (state.has_more()) {
    Result<std::vector<Item>> items;
    if (options.fan_out == FanOut::kMerge) {
      items = co_await merge_shards(config, options, state);
    } else {
      Result<Pages> pages = co_await collect(config, options, state);
      if (!pages) co_return std::unexpected(std::move(pages).error());
      items = ordered_items(config, *state.entity, options.sort, std::move(*pages));
    }
    if (!items) co_return std::unexpected(std::move(items).error());
    result.items = std::move(*items);
  }
  result.count = result.items.size();
  result.has_more = state.has_more();
  Result<std::string> token = write_token(config, state);
  if (!token) co_return std::unexpected(std::move(token).error());
  result.page_token = std::move(*token);
  if (options.statistics) result.statistics = statistics_of(state);
  co_return result;
}

Result<EntityQueryResult> run_query(const CompiledConfig& config, const EntityQueryOptions& options) {
  return sync_wait(query_task(config, options, Waiting::kWaits));
}

}  // namespace dolmen::entity
