#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "dolmen/error.h"

namespace dolmen {

/// Runs what may take longer than the calling thread has time for. False when too much is waiting already; then the
/// task is dropped.
using Elsewhere = std::function<bool(std::move_only_function<void()>)>;

/// While it lives, the calling thread has time for whatever it does: it is elsewhere already.
class HasTime {
 public:
  HasTime() : outer_(std::exchange(here_, true)) {}
  ~HasTime() { here_ = outer_; }
  HasTime(const HasTime&) = delete;
  HasTime& operator=(const HasTime&) = delete;

  [[nodiscard]] static bool here() { return here_; }

 private:
  static inline constinit thread_local bool here_ = false;

  bool outer_;
};

/// Lets `work(done)` run elsewhere, or at once on a thread that has time, or fails with kThrottled.
template <class Response, class Work>
void go_elsewhere(const Elsewhere& elsewhere, std::move_only_function<void(Result<Response>)> done, Work work) {
  if (HasTime::here()) return work(std::move(done));
  // Shared, because the refusal below needs it too.
  auto answer = std::make_shared<std::move_only_function<void(Result<Response>)>>(std::move(done));
  if (elsewhere([answer, work = std::move(work)]() mutable { work(std::move(*answer)); })) return;
  (*answer)(std::unexpected(Error(Code::kThrottled, "too many large requests are waiting; try again")));
}

/// Lets `work(done)` run elsewhere, or here when too much is waiting there. For work that is small, but may have to
/// wait for the disk.
template <class Response, class Work>
void go_elsewhere_or_stay(const Elsewhere& elsewhere, std::move_only_function<void(Result<Response>)> done, Work work) {
  struct Task {
    std::move_only_function<void(Result<Response>)> done;
    Work work;
  };
  auto task = std::make_shared<Task>(std::move(done), std::move(work));
  const auto run = [task] { task->work(std::move(task->done)); };
  if (!elsewhere(run)) run();
}

}  // namespace dolmen
