#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "base/round.h"
#include "dolmen/error.h"
#include "service/service.h"

namespace dolmen {

/// Starts an operation by `start(done)` and waits for its outcome.
template <class T, class Start>
Result<T> wait_for(Start start) {
  const Round::Pause pause;
  std::mutex outcome_mutex;
  std::condition_variable arrived;
  std::optional<Result<T>> outcome;
  start([&](Result<T> result) {
    // Notified under the lock: afterwards nothing here may touch the waiter's stack.
    const std::lock_guard lock(outcome_mutex);
    outcome.emplace(std::move(result));
    arrived.notify_one();
  });
  std::unique_lock lock(outcome_mutex);
  arrived.wait(lock, [&] { return outcome.has_value(); });
  return std::move(*outcome);
}

/// Carries out an operation and waits for its outcome: `call<GetItem>(service, request)`.
template <class Op>
Result<typename Op::Response> call(Service& service, typename Op::Request request) {
  return wait_for<typename Op::Response>(
      [&](Done<typename Op::Response> done) { service.start(Op{}, std::move(request), std::move(done)); });
}

}  // namespace dolmen
