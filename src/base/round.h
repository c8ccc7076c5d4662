#pragma once

#include <functional>
#include <utility>

namespace dolmen {

/// How a thread works that does everything which is ready, one task after the other, and then waits for more: in
/// rounds. What is cheaper for several tasks at once is put off to the end of the round.
class Round {
 public:
  virtual ~Round() = default;

  /// Calls `work` on this thread, after the tasks that are ready now. It is called once, also when the thread stops.
  virtual void at_end(std::move_only_function<void()> work) = 0;

  /// That of the calling thread; null when it does not work in rounds.
  [[nodiscard]] static Round* current() { return current_; }

  /// The calling thread works in these rounds from now on.
  void adopt_thread() { current_ = this; }

  /// Nothing is put off on the calling thread while this object lives. For a task that waits for what it has started.
  /// It must not wait for what an earlier task of its round has put off.
  class Pause {
   public:
    Pause() : paused_(std::exchange(current_, nullptr)) {}
    ~Pause() { current_ = paused_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Round* paused_;
  };

 private:
  static inline constinit thread_local Round* current_ = nullptr;
};

}  // namespace dolmen
