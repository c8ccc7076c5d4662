// dolmen relation resume --watch: completes what others have left, in a store that many programs use.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <map>

#include "base/sleep.h"
#include "cli/print_json.h"
#include "cli/relation_flags.h"

namespace dolmen::cli {
namespace {

/// Set by a signal, which any thread may get: a store elsewhere has one of its own.
std::atomic<bool> asked_to_end = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers set it");

void end_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int) { asked_to_end = true; });
}

class DeleteWatch {
 public:
  DeleteWatch(Relations& graph, const RelationFlags& flags) : graph_(graph), flags_(flags) {}

  /// Until a signal asks to end.
  void run() {
    end_on_signals();
    while (!asked_to_end) {
      look();
      wait();
    }
  }

 private:
  /// What makes progress between two looks is somebody's work.
  void look() {
    const Result<std::vector<DeleteProgress>> pending = graph_.pending_deletes();
    if (!pending) return complain(pending.error());
    std::map<std::string, DeleteProgress> seen;
    for (const DeleteProgress& job : *pending) {
      const auto before = seen_.find(job.job);
      const bool is_still =
          before != seen_.end() && before->second.deleted == job.deleted && before->second.reassigned == job.reassigned;
      if (is_still) resume(job.job);
      seen.emplace(job.job, job);
    }
    seen_ = std::move(seen);
  }

  void resume(const std::string& job) {
    const auto stop_when_asked = [&](const DeleteProgress&) {
      if (asked_to_end) graph_.interrupt();
    };
    const Result<std::optional<DeleteProgress>> done = graph_.resume_delete(job, stop_when_asked);
    if (!done) return complain(done.error());
    if (!*done) return;
    if (flags_.json)
      static_cast<void>(print_json(describe_progress(**done)));
    else
      fmt::print("completed {}", progress_text(**done));
    std::fflush(stdout);
  }

  void wait() const {
    constexpr std::chrono::milliseconds kStep(50);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(flags_.interval_s);
    while (!asked_to_end && std::chrono::steady_clock::now() < end) sleep_for(kStep);
  }

  static void complain(const Error& error) {
    if (error.code() == Code::kCanceled) return;
    fmt::print(stderr, "dolmen: {}\n", error.message());
  }

  Relations& graph_;
  const RelationFlags& flags_;
  /// The jobs of the last look.
  std::map<std::string, DeleteProgress> seen_;
};

}  // namespace

Result<RelationAnswer> watch_deletes(Relations& graph, const RelationFlags& flags) {
  DeleteWatch(graph, flags).run();
  return RelationAnswer{.is_printed = true};
}

}  // namespace dolmen::cli
