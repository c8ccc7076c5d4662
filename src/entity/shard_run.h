#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "dolmen/entity/query.h"

namespace dolmen::entity {

struct ShardRun {
  std::size_t throttle = 1;
  /// The maximum number of threads that make calls; see EntityQueryOptions::threads.
  std::size_t threads = 1;
  /// So many calls are worth the start of a thread.
  std::size_t calls_per_thread = kShardCallsPerThread;
  bool stop_at_first_failure = false;
};

/// The outcome of each call, in the order of the calls; nothing for calls that a failure prevented.
using ShardOutcomes = std::vector<std::optional<Result<ShardPage>>>;

/// Makes `count` calls, at most `throttle` at a time, and waits for all that were made. When `threads` is above 1,
/// several threads call `start` at the same time.
ShardOutcomes run_shards(std::size_t count, const ShardRun& how,
                         const std::function<void(std::size_t call, ShardDone done)>& start);

/// The same without waiting: `done` takes the outcomes on the thread that had the last of them, or before this returns.
/// Only one thread at a time calls `start`.
void start_shards(std::size_t count, const ShardRun& how, std::function<void(std::size_t call, ShardDone done)> start,
                  std::move_only_function<void(ShardOutcomes)> done);

}  // namespace dolmen::entity
