#include "engine/work_queue.h"

#include <utility>

namespace dolmen::engine {

bool WorkQueue::add(Work work) {
  const std::lock_guard lock(waiting_mutex_);
  if (stopped_ || waiting_.size() >= kWaitingMax) return false;
  waiting_.push_back(std::move(work));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_one();
  return true;
}

void WorkQueue::stop() {
  {
    const std::lock_guard lock(waiting_mutex_);
    stopped_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void WorkQueue::run() {
  std::unique_lock lock(waiting_mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
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
