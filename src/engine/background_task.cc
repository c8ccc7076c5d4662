#include "engine/background_task.h"

#include <fmt/format.h>
#include <utility>

namespace dolmen::engine {

BackgroundTask::BackgroundTask(const storage::Storage& storage, Options options, Step step)
    : storage_(storage),
      options_(std::move(options)),
      step_(std::move(step)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

BackgroundTask::~BackgroundTask() { stop(); }

void BackgroundTask::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void BackgroundTask::wake() {
  const std::lock_guard lock(state_mutex_);
  if (thread_.get_stop_token().stop_requested()) return;
  woken_ = true;
  idle_ = false;
  changed_.notify_all();
}

void BackgroundTask::wait_until_idle() {
  std::unique_lock lock(state_mutex_);
  changed_.wait(lock, [&] { return idle_; });
}

void BackgroundTask::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      const std::lock_guard lock(state_mutex_);
      woken_ = false;
    }
    const Next next = step(stop);
    std::unique_lock lock(state_mutex_);
    if (woken_ || next == std::chrono::milliseconds(0)) continue;
    idle_ = true;
    changed_.notify_all();
    const auto is_woken = [this] { return woken_; };
    if (next) {
      changed_.wait_for(lock, stop, *next, is_woken);
    } else {
      changed_.wait(lock, stop, is_woken);
    }
    idle_ = false;
  }
  // Nobody waits for a task that has stopped.
  const std::lock_guard lock(state_mutex_);
  idle_ = true;
  changed_.notify_all();
}

BackgroundTask::Next BackgroundTask::step(const std::stop_token& stop) {
  if (options_.has_work && !options_.has_work()) return std::nullopt;
  failed_ = true;
  if (options_.free_bytes_min > 0) {
    const Result<std::uint64_t> free = storage_.free_bytes();
    if (free && *free < options_.free_bytes_min) {
      report(fmt::format("{} waits: only {} MB are free on the disk", options_.name, *free >> 20));
      return kRetryAfter;
    }
  }
  Result<Next> next = step_(stop);
  if (next) {
    if (!last_line_.empty()) report(fmt::format("{} goes on", options_.name));
    last_line_.clear();
    failed_ = false;
    return *next;
  }
  // A store that is being closed ends its work without a word.
  if (next.error().code() == Code::kClosed || stop.stop_requested()) return std::nullopt;
  report(fmt::format("{} failed and is tried again: {}", options_.name, next.error().message()));
  return kRetryAfter;
}

void BackgroundTask::report(std::string line) {
  if (line == last_line_) return;
  if (options_.log) options_.log(line);
  last_line_ = std::move(line);
}

}  // namespace dolmen::engine
