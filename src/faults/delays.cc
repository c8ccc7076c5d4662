#include "faults/delays.h"

#include <utility>

namespace dolmen::faults {

void Delays::run_after(std::chrono::milliseconds delay, Task task) {
  {
    const std::lock_guard lock(tasks_mutex_);
    if (tasks_.size() < kWaitingMax) {
      tasks_.emplace(Clock::now() + delay, std::move(task));
      if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
      changed_.notify_one();
      return;
    }
  }
  task();
}

void Delays::work() {
  std::unique_lock lock(tasks_mutex_);
  while (!stopping_) {
    if (tasks_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const Clock::time_point due = tasks_.begin()->first;
    if (Clock::now() < due) {
      changed_.wait_until(lock, due);
      continue;
    }
    Task task = std::move(tasks_.extract(tasks_.begin()).mapped());
    lock.unlock();
    std::exchange(task, nullptr)();
    lock.lock();
  }
}

void Delays::finish() {
  std::thread thread;
  std::multimap<Clock::time_point, Task> tasks;
  {
    const std::lock_guard lock(tasks_mutex_);
    stopping_ = true;
    changed_.notify_one();
    thread = std::exchange(thread_, {});
    tasks = std::exchange(tasks_, {});
  }
  if (thread.joinable()) thread.join();
  for (auto& [due, task] : tasks) std::exchange(task, nullptr)();
  const std::lock_guard lock(tasks_mutex_);
  stopping_ = false;
}

}  // namespace dolmen::faults
