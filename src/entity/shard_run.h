#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "dolmen/entity/query.h"

namespace dolmen::entity {

struct ShardRun {
  std::size_t throttle = 1;
  /// The most threads that make calls; see EntityQueryOptions::threads.
  std::size_t threads = 1;
  bool stop_at_first_failure = false;
};

/// What came of each call, in the order of the calls; nothing for those that were not made after a failure.
using ShardOutcomes = std::vector<std::optional<Result<ShardPage>>>;

/// Makes `count` calls, at most `throttle` under way at a time, and waits for all that were made. `start` is called by
/// several threads at a time when `threads` says so.
ShardOutcomes run_shards(std::size_t count, const ShardRun& how,
                         const std::function<void(std::size_t call, ShardDone done)>& start);

}  // namespace dolmen::entity
