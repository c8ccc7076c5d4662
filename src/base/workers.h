#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dolmen {

/// Threads for work that waits for the disk, which network threads must not do. They are started as needed, up to a
/// limit, and the number of waiting tasks is limited too.
class Workers {
 public:
  struct Limits {
    std::size_t threads = 16;
    std::size_t waiting = 4096;
    const char* name = "worker";  ///< Of the threads, for tools that show them.
  };

  explicit Workers(Limits limits) : limits_(limits) {}
  /// Finishes the accepted tasks.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False when too many tasks are waiting, or when the workers have been stopped.
  [[nodiscard]] bool run(std::move_only_function<void()> task);
  /// Finishes the accepted tasks and accepts no more. May be called again.
  void stop();
  /// The same, but drops the tasks that have not begun.
  void stop_soon();

 private:
  void work();

  const Limits limits_;
  std::mutex tasks_mutex_;  ///< Guards all members below.
  std::condition_variable changed_;
  std::deque<std::move_only_function<void()>> tasks_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace dolmen
