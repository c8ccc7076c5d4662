#include "entity/query_state.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "base/clock.h"
#include "base/fail.h"
#include "entity/item_source.h"
#include "entity/page_keys.h"
#include "entity/page_token.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

/// The last text of a token that records for each shard whether it was started: "^" for not yet, "=" and a page key, or
/// "" when it has been read. Programs that know only plain tokens refuse it because of its length.
constexpr std::string_view kExtendedMark = "dolmen:1";
constexpr std::string_view kNotStarted = "^";
constexpr char kAt = '=';

using Place = Shard::Place;
using Texts = std::vector<std::string>;

Result<void> check_options(const EntityQueryOptions& options, QueryState& state, const EntityConfig& config,
                           bool requery_exhausted) {
  const std::int64_t limit = options.limit.value_or(state.entity->definition.default_limit);
  const std::int64_t page_size = options.page_size.value_or(state.entity->definition.default_page_size);
  const std::int64_t throttle = options.throttle.value_or(config.throttle);
  if (limit < 1)
    return refuse(Code::kInvalidArgument, "limit must be a positive integer or Infinity.", "limit", "see kNoLimit");
  if (page_size < 1)
    return refuse(Code::kInvalidArgument, "pageSize must be a positive integer", "page_size",
                  "it is the items of a call");
  if (throttle < 1)
    return refuse(Code::kInvalidArgument, "throttle must be a positive integer", "throttle", "nothing would be asked");
  state.limit = static_cast<std::size_t>(limit);
  state.page_size =
      static_cast<std::uint32_t>(std::min<std::int64_t>(page_size, std::numeric_limits<std::uint32_t>::max()));
  if (options.threads < 1)
    return refuse(Code::kInvalidArgument, "threads must be a positive integer", "threads", "nothing would be asked");
  state.throttle = static_cast<std::size_t>(throttle);
  if (options.fan_out != FanOut::kAll && requery_exhausted)
    return fail(Code::kInvalidArgument, "shards that are read to their end can only be asked again with FanOut::kAll");
  if (options.fan_out == FanOut::kMerge && !options.sort.empty())
    return fail(Code::kInvalidArgument, "a merged query has the order of its indexes; leave sort empty");
  return {};
}

/// The bumps of a query whose token is for `shards` shards; nothing when no bumps have that many. Without an end of the
/// window they are those of the first page: by now there may be more bumps, or fewer when the clock of that page's
/// machine is ahead.
std::optional<std::vector<ShardBump>> bumps_of_token(const CompiledEntity& entity, const TimeWindow& window,
                                                     bool has_end, std::size_t shards) {
  std::vector<ShardBump> bumps = bumps_in(entity, window);
  if (shard_count(bumps) == shards) return bumps;
  if (has_end) return std::nullopt;
  for (const ShardBump& bump : entity.definition.shard_bumps) {
    bumps = bumps_in(entity, {window.from, static_cast<double>(bump.timestamp)});
    if (shard_count(bumps) == shards) return bumps;
  }
  return std::nullopt;
}

struct Window {
  std::vector<ShardBump> bumps;
  /// Whether the token records which shards were not started. Its mark has been removed.
  bool extended = false;
};

/// The shards that a query asks, by its time and its token.
Window window_of(const CompiledConfig& config, const EntityQueryOptions& options, const QueryState& state,
                 std::optional<Texts>& texts) {
  const TimeWindow window{.from = static_cast<double>(options.timestamp_from),
                          .to = static_cast<double>(options.timestamp_to.value_or(now_ms(config.options())))};
  const auto matching = [&]() -> std::optional<std::vector<ShardBump>> {
    if (texts->size() % state.indexes.size() != 0) return std::nullopt;
    return bumps_of_token(*state.entity, window, options.timestamp_to.has_value(),
                          texts->size() / state.indexes.size());
  };
  if (texts) {
    if (auto bumps = matching()) return {.bumps = std::move(*bumps)};
    if (texts->back() == kExtendedMark) {
      texts->pop_back();
      if (auto bumps = matching()) return {.bumps = std::move(*bumps), .extended = true};
    }
  }
  return {.bumps = bumps_in(*state.entity, window)};
}

/// In the order of their names, which is that of tokens.
std::vector<std::size_t> token_order(const std::vector<const CompiledIndex*>& indexes) {
  std::vector<std::size_t> order(indexes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, units_less, [&](std::size_t i) { return indexes[i]->definition.name; });
  return order;
}

/// Moves a shard to the position that its text in a token gives.
Result<void> place_shard(const CompiledConfig& config, const QueryState& state, const PlaceElements& elements,
                         Shard& shard, std::string_view text, bool extended) {
  if (extended && text == kNotStarted) return {};
  if (extended && !text.empty()) {
    if (text.front() != kAt)
      return refuse(Code::kInvalidPageToken, "invalid page key map", text, "the token is damaged");
    text.remove_prefix(1);
  }
  if (text.empty()) {
    shard.place = Place::kExhausted;
    return {};
  }
  const auto read = [&]() -> Result<Item> {
    DOLMEN_TRY(const ElementList page_key, rehydrate_page_key(config, *state.entity, *state.indexes[shard.index],
                                                              elements, state.hash_keys[shard.hash_key], text));
    return item_of(page_key);
  };
  Result<Item> item = read();
  if (!item) return std::unexpected(Error(Code::kInvalidPageToken, item.error().message(), item.error().details()));
  shard.go_on_at(std::move(*item));
  return {};
}

Result<void> place_shards(const CompiledConfig& config, QueryState& state, const Texts& texts, bool extended) {
  if (texts.size() != state.shards.size())
    return refuse(Code::kInvalidPageToken, "dehydrated length mismatch", "",
                  "the token is of a query with other indexes or another time window");
  const std::vector<std::size_t> order = token_order(state.indexes);
  const std::size_t shards = state.hash_keys.size();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PlaceElements elements = dehydrated_elements(config, *state.entity, *state.indexes[order[i]]);
    for (std::size_t k = 0; k < shards; ++k)
      DOLMEN_TRY_VOID(
          place_shard(config, state, elements, state.shards[order[i] * shards + k], texts[i * shards + k], extended));
  }
  return {};
}

Result<std::optional<Texts>> read_token(const EntityQueryOptions& options) {
  if (options.page_token.empty()) return std::nullopt;
  return read_page_token(options.page_token);
}

}  // namespace

std::int64_t now_ms(const EntityOptions& options) {
  const TimePoint now = or_system_clock(options.now)();
  return std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
}

bool QueryState::has_more() const {
  return std::ranges::any_of(shards, [](const Shard& shard) { return shard.place != Place::kExhausted; });
}

Result<QueryState> open_query(const CompiledConfig& config, const EntityQueryOptions& options) {
  QueryState state;
  DOLMEN_TRY(state.entity, config.entity(options.entity));
  DOLMEN_TRY_VOID(check_options(options, state, config.config(), config.options().requery_exhausted));
  DOLMEN_TRY(std::optional<Texts> texts, read_token(options));
  Tokens tokens;
  for (const auto& [index, query] : options.shard_queries) tokens.push_back(index);
  std::ranges::sort(tokens, units_less);
  std::ranges::stable_sort(tokens, listed_before);
  DOLMEN_TRY(const QueryIndexes found, find_indexes(config, tokens));
  state.indexes = found.indexes;
  if (texts && texts->empty()) return state;

  const Window window = window_of(config, options, state, texts);
  DOLMEN_TRY(state.hash_keys,
             hash_key_space(config, *state.entity, found.hash_key_token, ItemView(config, options.item), window.bumps));
  state.shards.reserve(state.indexes.size() * state.hash_keys.size());
  for (std::size_t i = 0; i < state.indexes.size(); ++i)
    for (std::size_t k = 0; k < state.hash_keys.size(); ++k) state.shards.push_back({.index = i, .hash_key = k});
  if (texts) DOLMEN_TRY_VOID(place_shards(config, state, *texts, window.extended));
  return state;
}

Result<std::string> write_token(const CompiledConfig& config, const QueryState& state) {
  if (!state.has_more()) return write_page_token({});
  const bool extended =
      std::ranges::any_of(state.shards, [](const Shard& shard) { return shard.place == Place::kNotStarted; });
  Texts texts;
  texts.reserve(state.shards.size() + 1);
  for (const std::size_t i : token_order(state.indexes)) {
    PageKeyWriter writer(config, *state.entity, *state.indexes[i]);
    for (std::size_t k = 0; k < state.hash_keys.size(); ++k) {
      const Shard& shard = state.shards[i * state.hash_keys.size() + k];
      std::string text;
      if (shard.place == Place::kNotStarted) {
        text = kNotStarted;
      } else if (shard.place == Place::kAtPageKey) {
        DOLMEN_TRY(text, writer.write(ItemView(config, *shard.page_key)));
        if (extended) text.insert(text.begin(), kAt);
      }
      texts.push_back(std::move(text));
    }
  }
  if (extended) texts.emplace_back(kExtendedMark);
  // When all page keys are empty, the query has ended.
  if (std::ranges::all_of(texts, &std::string::empty)) texts.clear();
  return write_query_token(texts);
}

}  // namespace dolmen::entity
