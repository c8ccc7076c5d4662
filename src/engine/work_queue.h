#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace dolmen::engine {

/// Requests that take as long as files do, carried out one after the other on a thread of their own, so that no thread
/// of the network waits for them.
class WorkQueue {
 public:
  using Work = std::move_only_function<void()>;

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
  /// Started with the first work: most stores never have any.
  std::thread thread_;
};

}  // namespace dolmen::engine
