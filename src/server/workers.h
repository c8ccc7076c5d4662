#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dolmen {

/// Threads for work that waits for the disk, which no network thread may do. They are started as they are needed, up to
/// a number, and what waits for one is bounded.
class Workers {
 public:
  struct Limits {
    std::size_t threads = 16;
    std::size_t waiting = 4096;
  };

  explicit Workers(Limits limits) : limits_(limits) {}
  /// Finishes what was taken.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False when too much waits already, or when they have been stopped.
  [[nodiscard]] bool run(std::move_only_function<void()> task);
  /// Finishes what was taken and takes no more. May be called again.
  void stop();

 private:
  void work();

  const Limits limits_;
  std::mutex tasks_mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  std::deque<std::move_only_function<void()>> tasks_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace dolmen
