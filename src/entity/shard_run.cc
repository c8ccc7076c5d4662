#include "entity/shard_run.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace dolmen::entity {

namespace {

/// Shared by the threads that make calls and the callbacks, the last of which may still be running when the caller
/// continues.
struct Progress {
  std::mutex guards_all;
  std::condition_variable changed;
  ShardOutcomes outcomes;
  std::size_t next = 0;
  std::size_t under_way = 0;
  bool failed = false;
};

using Start = std::function<void(std::size_t, ShardDone)>;

/// Makes one call after the other until none is left.
void make_calls(const std::shared_ptr<Progress>& progress, const ShardRun& how, const Start& start) {
  std::unique_lock lock(progress->guards_all);
  for (;;) {
    progress->changed.wait(lock, [&] { return progress->under_way < how.throttle; });
    if (progress->next == progress->outcomes.size() || (progress->failed && how.stop_at_first_failure)) return;
    const std::size_t call = progress->next++;
    ++progress->under_way;
    lock.unlock();
    start(call, [progress, call](Result<ShardPage> page) {
      const std::lock_guard guard(progress->guards_all);
      progress->failed = progress->failed || !page;
      progress->outcomes[call] = std::move(page);
      --progress->under_way;
      progress->changed.notify_all();
    });
    lock.lock();
  }
}

}  // namespace

ShardOutcomes run_shards(std::size_t count, const ShardRun& how, const Start& start) {
  const auto progress = std::make_shared<Progress>();
  progress->outcomes.resize(count);
  const std::size_t threads = std::min({how.threads, how.throttle, count / kShardCallsPerThread});
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back([&] { make_calls(progress, how, start); });
    make_calls(progress, how, start);
  }
  std::unique_lock lock(progress->guards_all);
  progress->changed.wait(lock, [&] { return progress->under_way == 0; });
  return std::move(progress->outcomes);
}

}  // namespace dolmen::entity
