#include "base/line_log.h"

#include <fmt/format.h>
#include <utility>

namespace dolmen {

namespace {

std::string plain_dropped_line(std::size_t dropped) {
  return fmt::format("{} more lines were dropped because they came faster than they could be written", dropped);
}

}  // namespace

LineLog::LineLog(Sink sink, DroppedLine dropped_line)
    : sink_(std::move(sink)), dropped_line_(dropped_line ? std::move(dropped_line) : plain_dropped_line) {
  if (sink_) thread_ = std::jthread([this](const std::stop_token& stop) { hand_over(stop); });
}

LineLog::~LineLog() = default;

void LineLog::write(std::string line) {
  if (!sink_) return;
  const std::scoped_lock lock(lines_mutex_);
  if (lines_.size() >= kWaitingMax) {
    ++dropped_;
    return;
  }
  lines_.push_back(std::move(line));
  written_.notify_one();
}

void LineLog::hand_over(const std::stop_token& stop) {
  std::unique_lock lock(lines_mutex_);
  // True as long as there are lines, even after a stop was requested.
  while (written_.wait(lock, stop, [this] { return !lines_.empty(); })) {
    const std::deque<std::string> lines = std::exchange(lines_, {});
    const std::size_t dropped = std::exchange(dropped_, 0);
    lock.unlock();
    for (const std::string& line : lines) sink_(line);
    if (dropped > 0) sink_(dropped_line_(dropped));
    lock.lock();
  }
}

}  // namespace dolmen
