#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <mutex>
#include <utility>

namespace dolmen::wire {

/// Passes tasks from any thread to an event loop. It may outlive the loop: once closed, it drops all tasks.
class LoopEntrance {
 public:
  explicit LoopEntrance(boost::asio::io_context& context) : context_(&context) {}
  LoopEntrance(const LoopEntrance&) = delete;
  LoopEntrance& operator=(const LoopEntrance&) = delete;

  /// Makes the calling thread the thread of the loop.
  void adopt_thread() const { of_this_thread_ = this; }

  /// Runs the task on the loop's thread: at once when that is the calling thread. Thread-safe.
  template <class Task>
  void run(Task task) {
    if (of_this_thread_ == this) return task();
    const std::lock_guard lock(context_mutex_);
    if (context_ != nullptr) boost::asio::post(*context_, std::move(task));
  }

  /// Once this has returned, the loop may be destroyed. Tasks that it has not started are destroyed with it.
  void close() {
    const std::lock_guard lock(context_mutex_);
    context_ = nullptr;
  }

 private:
  // Not a thread id: the system reuses the ids of threads that have ended.
  static inline constinit thread_local const LoopEntrance* of_this_thread_ = nullptr;

  std::mutex context_mutex_;  // guards context_
  boost::asio::io_context* context_;
};

}  // namespace dolmen::wire
