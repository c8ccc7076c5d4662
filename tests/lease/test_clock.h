#pragma once

#include <algorithm>
#include <map>

#include "dolmen/lease.h"

namespace dolmen {

/// A clock that moves only when it is told to. Thread-safe.
class TestClock {
 public:
  explicit TestClock(std::chrono::milliseconds since_1970 = std::chrono::seconds(1000)) : wall_(since_1970) {}

  /// The clock must not outlive this object.
  [[nodiscard]] LeaseClock clock() {
    return {.now = [this] { return now(); },
            .steady_now = [this] { return steady_now(); },
            .wait_until = [this](auto& lock, auto& changed, auto moment) { wait_until(lock, changed, moment); }};
  }

  std::chrono::system_clock::time_point now() const {
    const std::lock_guard lock(time_mutex_);
    return std::chrono::system_clock::time_point(wall_);
  }

  LeaseClock::Moment steady_now() const {
    const std::lock_guard lock(time_mutex_);
    return LeaseClock::Moment(steady_);
  }

  /// Moves both clocks forward.
  void advance(std::chrono::milliseconds by) {
    {
      const std::lock_guard lock(time_mutex_);
      wall_ += by;
      steady_ += by;
    }
    wake();
  }

  /// Changes the wall clock alone.
  void set_wall_by(std::chrono::milliseconds by) {
    {
      const std::lock_guard lock(time_mutex_);
      wall_ += by;
    }
    wake();
  }

 private:
  void wait_until(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, LeaseClock::Moment moment) {
    {
      const std::lock_guard waiting_lock(waiting_mutex_);
      waiting_[&changed] = lock.mutex();
    }
    if (steady_now() < moment) changed.wait(lock);
    const std::lock_guard waiting_lock(waiting_mutex_);
    waiting_.erase(&changed);
  }

  /// A waiter holds its mutex from before it reads the time until it waits, so that no waiter is missed.
  void wake() {
    std::map<std::condition_variable*, std::mutex*> waiting;
    {
      const std::lock_guard lock(waiting_mutex_);
      waiting = waiting_;
    }
    for (const auto& [changed, mutex] : waiting) {
      const std::lock_guard lock(*mutex);
      changed->notify_all();
    }
  }

  mutable std::mutex time_mutex_;
  std::chrono::milliseconds wall_;
  std::chrono::milliseconds steady_{0};
  std::mutex waiting_mutex_;
  std::map<std::condition_variable*, std::mutex*> waiting_;
};

}  // namespace dolmen
