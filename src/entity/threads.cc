#include "dolmen/entity/threads.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace dolmen {

namespace {

/// Threads that carry out one call after the other; as many as there were simultaneous calls. A thread counts as free
/// before it delivers its answer, because the receiver may make the next call at once.
class ShardThreads {
 public:
  explicit ShardThreads(BlockingShardQuery query) : query_(std::move(query)) {}

  ~ShardThreads() {
    {
      const std::lock_guard lock(guards_calls_);
      closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  ShardThreads(const ShardThreads&) = delete;
  ShardThreads& operator=(const ShardThreads&) = delete;

  void start(const ShardRequest& request, ShardDone done) {
    const std::lock_guard lock(guards_calls_);
    calls_.push_back({request, std::move(done)});
    if (calls_.size() > free_) {
      threads_.emplace_back([this] { work(); });
      ++free_;
    }
    changed_.notify_one();
  }

 private:
  struct Call {
    ShardRequest request;
    ShardDone done;
  };

  void work() {
    std::unique_lock lock(guards_calls_);
    while (true) {
      changed_.wait(lock, [&] { return closing_ || !calls_.empty(); });
      if (calls_.empty()) return;
      --free_;
      Call call = std::move(calls_.front());
      calls_.pop_front();
      lock.unlock();
      Result<ShardPage> page = query_(call.request);
      lock.lock();
      ++free_;
      lock.unlock();
      call.done(std::move(page));
      lock.lock();
    }
  }

  BlockingShardQuery query_;
  std::mutex guards_calls_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
  std::vector<std::thread> threads_;
  /// Threads that take the next call, now or as soon as they can.
  std::size_t free_ = 0;
  bool closing_ = false;
};

}  // namespace

ShardQuery in_threads(BlockingShardQuery query) {
  return [threads = std::make_shared<ShardThreads>(std::move(query))](const ShardRequest& request, ShardDone done) {
    threads->start(request, std::move(done));
  };
}

}  // namespace dolmen
