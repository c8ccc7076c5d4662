#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dolmen::engine {

/// Requests that take as long as files do, or compute for long, carried out on threads of their own, so that no thread
/// of the network waits for them. With one thread they are carried out one after the other.
class WorkQueue {
 public:
  using Work = std::move_only_function<void()>;

  explicit WorkQueue(std::size_t threads = 1) : threads_max_(threads) {}

  /// How many may wait.
  static constexpr std::size_t kWaitingMax = 500;

  /// Carries out everything that waits.
  ~WorkQueue() { stop(); }

  /// False when too many wait, or it was stopped.
  [[nodiscard]] bool add(Work work);
  /// Carries out everything that waits and takes nothing more.
  void stop();

 private:
  void run();

  std::mutex waiting_mutex_;  ///< Guards the next two.
  std::deque<Work> waiting_;
  bool stopped_ = false;
  std::condition_variable changed_;
  const std::size_t threads_max_;
  std::size_t idle_ = 0;  ///< Guarded by the mutex, too.
  /// Started with the first work: most stores never have any.
  std::vector<std::thread> threads_;
};

}  // namespace dolmen::engine
