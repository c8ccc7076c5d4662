#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"

/// Queries of entities over all shards, and over several indexes at a time.
namespace dolmen {

/// One step of a sort order.
struct SortField {
  std::string property;
  bool desc = false;

  friend bool operator==(const SortField&, const SortField&) = default;
};

/// `{{"lastName"}, {"created", descending}}`
inline constexpr bool descending = true;

/// One page of one shard of one index.
struct ShardRequest {
  std::string index;
  std::string hash_key;
  /// Where the last page of the shard ended; nothing for the first.
  std::optional<Item> page_key = std::nullopt;
  std::uint32_t page_size = 0;
};

struct ShardPage {
  std::vector<Item> items = {};
  /// Where to go on; nothing when the shard has been read to its end.
  std::optional<Item> page_key = std::nullopt;
};

/// Takes the page, exactly once: before the query returns, or later on another thread.
using ShardDone = std::move_only_function<void(Result<ShardPage>)>;
/// Reads a page of a shard, and may return before it is there. Several are called at a time.
using ShardQuery = std::function<void(const ShardRequest& request, ShardDone done)>;
/// The same for code that waits. Called on as many threads as the throttle allows, at most; see `in_threads`.
using BlockingShardQuery = std::function<Result<ShardPage>(const ShardRequest& request)>;

/// For `EntityQueryOptions::limit`: all there is.
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// How a query goes beyond asking every shard for a whole page. Both leave a token that only Dolmen reads while there
/// are shards that it has not begun to read.
enum class FanOut : std::uint8_t {
  kAll,        ///< every shard is asked for `page_size`
  kShrinking,  ///< only as many shards as the remaining limit can use
  /// The shards are merged in the order of the range key, which all indexes must share, so that exactly `limit` items
  /// come back, in order, and none twice. `sort` must be empty. Numbers come by value, texts by their bytes.
  kMerge,
};

/// So many calls are worth the start of a thread.
inline constexpr std::size_t kShardCallsPerThread = 16;

struct EntityQueryOptions {
  std::string entity;
  /// With the elements of the indexes' hash key when that is a sharded property.
  Item item = {};
  /// How each index is read.
  std::map<std::string, ShardQuery> shard_queries = {};
  /// Of the page before this one; nothing for the first.
  std::string page_token = {};
  /// A query stops asking when it has so many items, which then may be more. The entity's default when nothing is said.
  std::optional<std::int64_t> limit = std::nullopt;
  /// Items that one shard is asked for at a time. The entity's default when nothing is said.
  std::optional<std::int64_t> page_size = std::nullopt;
  std::vector<SortField> sort = {};
  /// When the entities were made: both ends belong to it. Decides which shards are asked. Without an end it is now,
  /// or with a page token the end that the first page had.
  std::int64_t timestamp_from = 0;
  std::optional<std::int64_t> timestamp_to = std::nullopt;
  /// Shard queries under way at a time. The config's when nothing is said.
  std::optional<std::int64_t> throttle = std::nullopt;
  /// Threads that make the calls, for shard queries that answer on the thread which makes the call and may be called by
  /// several. No more than the throttle are used, and no more than have kShardCallsPerThread calls to make.
  std::size_t threads = 1;
  /// Asks no further shards when one has failed; those that were not asked are not in the error.
  bool stop_at_first_failure = false;
  FanOut fan_out = FanOut::kAll;
  /// Only for FanOut::kMerge: whether the shards give their items backwards.
  bool backward = false;
  /// Whether the result says what each shard had to do.
  bool statistics = false;
};

struct ShardStatistics {
  std::string index;
  std::string hash_key;
  std::uint64_t calls = 0;
  std::uint64_t items = 0;
  /// Whether there is more to read.
  bool more = false;
};

struct EntityQueryResult {
  std::uint64_t count = 0;
  /// Each entity once, in the order that was asked for, else as the shards gave them.
  std::vector<Item> items;
  /// For the next page. When there is none, `has_more` is false, and the token says so as well.
  std::string page_token;
  bool has_more = false;
  std::vector<ShardStatistics> statistics;
};

/// Takes the outcome of a query, exactly once: before the call returns, or later on a thread on which a shard answered.
using EntityQueryDone = std::move_only_function<void(Result<EntityQueryResult>)>;

}  // namespace dolmen
