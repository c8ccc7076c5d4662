#include "base/workers.h"

#include <utility>

#include "base/thread_name.h"

namespace dolmen {

Workers::~Workers() { stop(); }

bool Workers::run(std::move_only_function<void()> task) {
  const std::scoped_lock lock(tasks_mutex_);
  if (stopping_ || tasks_.size() >= limits_.waiting) return false;
  tasks_.push_back(std::move(task));
  if (tasks_.size() > idle_ && threads_.size() < limits_.threads) threads_.emplace_back([this] { work(); });
  changed_.notify_one();
  return true;
}

void Workers::work() {
  name_thread(limits_.name);
  std::unique_lock lock(tasks_mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return !tasks_.empty() || stopping_; });
    --idle_;
    if (tasks_.empty()) return;
    std::move_only_function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

void Workers::stop_soon() {
  std::deque<std::move_only_function<void()>> dropped;
  {
    const std::scoped_lock lock(tasks_mutex_);
    stopping_ = true;
    dropped.swap(tasks_);
  }
  dropped.clear();
  stop();
}

void Workers::stop() {
  std::vector<std::thread> threads;
  {
    const std::scoped_lock lock(tasks_mutex_);
    stopping_ = true;
    threads.swap(threads_);
    changed_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace dolmen
