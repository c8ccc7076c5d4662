#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "dolmen/error.h"

namespace dolmen {

/// Runs what may take longer than the calling thread has time for. False when too much is waiting already; then the
/// task is dropped.
using Elsewhere = std::function<bool(std::move_only_function<void()>)>;

/// Lets `work(done)` run elsewhere, or fails with kThrottled.
template <class Response, class Work>
void go_elsewhere(const Elsewhere& elsewhere, std::move_only_function<void(Result<Response>)> done, Work work) {
  // Shared, because the refusal below needs it too.
  auto answer = std::make_shared<std::move_only_function<void(Result<Response>)>>(std::move(done));
  if (elsewhere([answer, work = std::move(work)]() mutable { work(std::move(*answer)); })) return;
  (*answer)(std::unexpected(Error(Code::kThrottled, "too many large requests are waiting; try again")));
}

}  // namespace dolmen
