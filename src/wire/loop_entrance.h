#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <mutex>
#include <utility>

namespace dolmen::wire {

/// The way into an event loop for every thread. It may outlive the loop: once it is closed, what comes is dropped.
class LoopEntrance {
 public:
  explicit LoopEntrance(boost::asio::io_context& context) : context_(&context) {}
  LoopEntrance(const LoopEntrance&) = delete;
  LoopEntrance& operator=(const LoopEntrance&) = delete;

  /// Makes the calling thread the loop's.
  void adopt_thread() const { of_this_thread_ = this; }

  /// Has the loop's thread carry out the task: at once when that is the calling thread. Any thread.
  template <class Task>
  void run(Task task) {
    if (of_this_thread_ == this) return task();
    const std::lock_guard lock(context_mutex_);
    if (context_ != nullptr) boost::asio::post(*context_, std::move(task));
  }

  /// From when this returns the loop may be destroyed. Tasks that it has not begun are destroyed with it.
  void close() {
    const std::lock_guard lock(context_mutex_);
    context_ = nullptr;
  }

 private:
  // Not a thread's id: the system gives those of threads that have ended to new ones.
  static inline constinit thread_local const LoopEntrance* of_this_thread_ = nullptr;

  std::mutex context_mutex_;  // guards context_
  boost::asio::io_context* context_;
};

}  // namespace dolmen::wire
