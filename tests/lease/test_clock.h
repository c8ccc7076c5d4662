#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

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
  /// Somebody who waits, in whose thread this is.
  struct Waiter {
    std::condition_variable& changed;
    std::mutex& mutex;
    /// How many threads are waking it, and so use what it refers to.
    int wakers = 0;
  };

  void wait_until(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, LeaseClock::Moment moment) {
    Waiter waiter{.changed = changed, .mutex = *lock.mutex()};
    {
      const std::lock_guard waiting_lock(waiting_mutex_);
      waiting_.push_back(&waiter);
    }
    if (steady_now() < moment) changed.wait(lock);
    // Those who are waking it need its mutex, and what they use may go when it has returned.
    lock.unlock();
    {
      std::unique_lock waiting_lock(waiting_mutex_);
      woken_.wait(waiting_lock, [&] { return waiter.wakers == 0; });
      std::erase(waiting_, &waiter);
    }
    lock.lock();
  }

  /// A waiter holds its mutex from before it reads the time until it waits, so that no waiter is missed.
  void wake() {
    std::vector<Waiter*> waiting;
    {
      const std::lock_guard lock(waiting_mutex_);
      waiting = waiting_;
      for (Waiter* waiter : waiting) ++waiter->wakers;
    }
    for (Waiter* waiter : waiting) {
      const std::lock_guard lock(waiter->mutex);
      waiter->changed.notify_all();
    }
    const std::lock_guard lock(waiting_mutex_);
    for (Waiter* waiter : waiting) --waiter->wakers;
    woken_.notify_all();
  }

  mutable std::mutex time_mutex_;
  std::chrono::milliseconds wall_;
  std::chrono::milliseconds steady_{0};
  /// Guards the list and what it refers to.
  std::mutex waiting_mutex_;
  std::condition_variable woken_;
  std::vector<Waiter*> waiting_;
};

}  // namespace dolmen
