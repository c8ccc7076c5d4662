#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "dolmen/error.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Work that goes on behind the requests, on its own thread, in steps. The work keeps its progress in the storage, so
/// that it goes on after a crash.
///
/// A step that fails is tried again later, and a log line says why. While the disk is nearly full nothing runs: the
/// last space belongs to the requests.
class BackgroundTask {
 public:
  /// When the next step is due: after a time, at once (zero), or not before `wake` is called (nothing).
  using Next = std::optional<std::chrono::milliseconds>;
  using Step = std::move_only_function<Result<Next>(const std::stop_token& stop)>;

  struct Options {
    /// For log lines: "building indexes".
    std::string name;
    /// Receives lines for the operator. May be empty.
    std::function<void(std::string line)> log;
    /// Nothing runs while fewer bytes are free on the disk. Work that frees space needs none.
    std::uint64_t free_bytes_min = kFreeBytesMin;
    /// Whether there is something to do; nobody is told that nothing waits. When it is empty there always may be.
    std::function<bool()> has_work = {};
  };

  static constexpr std::uint64_t kFreeBytesMin = std::uint64_t{64} << 20;
  static constexpr std::chrono::milliseconds kRetryAfter{1000};

  /// The first step is due at once. The storage must outlive the task.
  BackgroundTask(const storage::Storage& storage, Options options, Step step);
  /// Stops.
  ~BackgroundTask();
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  /// Waits for the step in progress, which is asked to stop; no step follows. `wake` may still be called.
  void stop();
  /// Makes a step due at once, unless the task was stopped.
  void wake();
  /// Waits until no step is due at once and none has been asked for. For tests.
  void wait_until_idle();
  /// The last step failed, or could not be made because the disk is nearly full.
  [[nodiscard]] bool has_failed() const { return failed_; }

 private:
  void run(const std::stop_token& stop);
  Next step(const std::stop_token& stop);
  /// Writes a line unless it says what the last one said.
  void report(std::string line);

  const storage::Storage& storage_;
  const Options options_;
  Step step_;
  std::string last_line_;  ///< Of this thread only.
  std::atomic<bool> failed_ = false;

  std::mutex state_mutex_;  ///< Guards the next two.
  bool woken_ = true;
  bool idle_ = false;
  std::condition_variable_any changed_;
  std::jthread thread_;  ///< Last: it uses all the others.
};

}  // namespace dolmen::engine
