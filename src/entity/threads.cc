#include "dolmen/entity_threads.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace dolmen {

namespace {

/// Threads that answer one call after the other; as many as there were calls at a time.
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
    if (calls_.size() > idle_) threads_.emplace_back([this] { work(); });
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
      ++idle_;
      changed_.wait(lock, [&] { return closing_ || !calls_.empty(); });
      --idle_;
      if (calls_.empty()) return;
      Call call = std::move(calls_.front());
      calls_.pop_front();
      lock.unlock();
      call.done(query_(call.request));
      lock.lock();
    }
  }

  BlockingShardQuery query_;
  std::mutex guards_calls_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool closing_ = false;
};

}  // namespace

ShardQuery in_threads(BlockingShardQuery query) {
  return [threads = std::make_shared<ShardThreads>(std::move(query))](const ShardRequest& request, ShardDone done) {
    threads->start(request, std::move(done));
  };
}

}  // namespace dolmen
