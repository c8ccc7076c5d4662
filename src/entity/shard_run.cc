#include "entity/shard_run.h"

#include <condition_variable>
#include <mutex>

namespace dolmen::entity {

namespace {

/// Shared by the caller and the callbacks, of which the last may still be leaving when the caller goes on.
struct Progress {
  std::mutex guards_all;
  std::condition_variable changed;
  ShardOutcomes outcomes;
  std::size_t under_way = 0;
  bool failed = false;
};

}  // namespace

ShardOutcomes run_shards(std::size_t count, const ShardRun& how,
                         const std::function<void(std::size_t, ShardDone)>& start) {
  const auto progress = std::make_shared<Progress>();
  progress->outcomes.resize(count);
  std::unique_lock lock(progress->guards_all);
  for (std::size_t call = 0; call < count; ++call) {
    progress->changed.wait(lock, [&] { return progress->under_way < how.throttle; });
    if (progress->failed && how.stop_at_first_failure) break;
    ++progress->under_way;
    lock.unlock();
    start(call, [progress, call](Result<ShardPage> page) {
      const std::lock_guard guard(progress->guards_all);
      progress->failed = progress->failed || !page;
      progress->outcomes[call] = std::move(page);
      --progress->under_way;
      progress->changed.notify_one();
    });
    lock.lock();
  }
  progress->changed.wait(lock, [&] { return progress->under_way == 0; });
  return std::move(progress->outcomes);
}

}  // namespace dolmen::entity
