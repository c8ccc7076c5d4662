#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "dolmen/clock.h"

namespace dolmen::testing {

/// Time that stands still until a test moves it:
///
///     store.clock().advance(1h);                             // what has expired is gone when this returns
///     EmbeddedOptions other{.now = store.clock().now()};     // the same time elsewhere: leases, models, pages
///
/// Thread-safe.
class TestClock {
 public:
  /// Stands at the machine's time.
  TestClock();
  TestClock(const TestClock&) = delete;
  TestClock& operator=(const TestClock&) = delete;

  [[nodiscard]] TimePoint time() const { return state_->time(); }
  /// For the options that take a clock. May be used when this object is gone.
  [[nodiscard]] Now now() const {
    return [state = state_] { return state->time(); };
  }

  /// Returns when the store has done what is due at that time.
  void set(TimePoint time) {
    state_->set(time);
    if (moved_) moved_();
  }
  void advance(std::chrono::nanoseconds by) { set(time() + by); }

  /// Is called whenever the time was moved. For the other parts of Dolmen.
  void on_move(std::function<void()> moved) { moved_ = std::move(moved); }

 private:
  class State {
   public:
    [[nodiscard]] TimePoint time() const {
      const std::lock_guard lock(time_mutex_);
      return time_;
    }
    void set(TimePoint time) {
      const std::lock_guard lock(time_mutex_);
      time_ = time;
    }

   private:
    mutable std::mutex time_mutex_;
    TimePoint time_{};
  };

  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::function<void()> moved_;
};

}  // namespace dolmen::testing
