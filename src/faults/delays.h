#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace dolmen::faults {

/// Runs tasks later, on a thread of its own, which is started with the first of them.
class Delays {
 public:
  using Task = std::move_only_function<void()>;

  /// More tasks than this do not wait.
  static constexpr std::size_t kWaitingMax = 10'000;

  Delays() = default;
  /// Runs the tasks that are waiting at once.
  ~Delays() { finish(); }
  Delays(const Delays&) = delete;
  Delays& operator=(const Delays&) = delete;

  void run_after(std::chrono::milliseconds delay, Task task);
  /// Runs the tasks that are waiting at once, on this thread, and waits for one that is running.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void work();

  std::mutex tasks_mutex_;  // guards the rest
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Task> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace dolmen::faults
