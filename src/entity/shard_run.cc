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

/// The same for calls that nobody waits for.
struct Started {
  std::mutex guards_all;
  ShardOutcomes outcomes;
  std::size_t next = 0;
  std::size_t under_way = 0;
  bool failed = false;
  /// Whether a thread is making calls. Calls that end in the meantime leave it to that thread to make the next ones, so
  /// that calls which end at once do not stand inside each other.
  bool is_calling = false;
  bool ended = false;
  ShardRun how;
  Start start;
  std::move_only_function<void(ShardOutcomes)> done;

  [[nodiscard]] bool has_more() const { return next < outcomes.size() && !(failed && how.stop_at_first_failure); }
};

void make_more_calls(const std::shared_ptr<Started>& run) {
  std::unique_lock lock(run->guards_all);
  if (run->is_calling || run->ended) return;
  run->is_calling = true;
  while (run->has_more() && run->under_way < run->how.throttle) {
    const std::size_t call = run->next++;
    ++run->under_way;
    lock.unlock();
    run->start(call, [run, call](Result<ShardPage> page) {
      {
        const std::lock_guard guard(run->guards_all);
        run->failed = run->failed || !page;
        run->outcomes[call] = std::move(page);
        --run->under_way;
      }
      make_more_calls(run);
    });
    lock.lock();
  }
  run->is_calling = false;
  if (run->has_more() || run->under_way > 0) return;
  run->ended = true;
  lock.unlock();
  run->done(std::move(run->outcomes));
}

}  // namespace

void start_shards(std::size_t count, const ShardRun& how, Start start,
                  std::move_only_function<void(ShardOutcomes)> done) {
  const auto run = std::make_shared<Started>();
  run->outcomes.resize(count);
  run->how = how;
  run->start = std::move(start);
  run->done = std::move(done);
  make_more_calls(run);
}

ShardOutcomes run_shards(std::size_t count, const ShardRun& how, const Start& start) {
  const auto progress = std::make_shared<Progress>();
  progress->outcomes.resize(count);
  const std::size_t threads = std::min({how.threads, how.throttle, count / how.calls_per_thread});
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
