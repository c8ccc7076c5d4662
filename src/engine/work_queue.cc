#include "engine/work_queue.h"

#include <utility>

namespace dolmen::engine {

bool WorkQueue::add(Work work) {
  const std::lock_guard lock(waiting_mutex_);
  if (stopped_ || waiting_.size() >= kWaitingMax) return false;
  waiting_.push_back(std::move(work));
  if (waiting_.size() > idle_ && threads_.size() < threads_max_) threads_.emplace_back([this] { run(); });
  changed_.notify_one();
  return true;
}

void WorkQueue::stop() {
  {
    const std::lock_guard lock(waiting_mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  // Nobody starts a thread any more.
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void WorkQueue::run() {
  std::unique_lock lock(waiting_mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    {
      Work work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      work();
    }
    lock.lock();
  }
}

}  // namespace dolmen::engine
