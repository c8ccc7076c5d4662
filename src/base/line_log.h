#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace dolmen {

/// Log lines for the operator from code that must not wait, for example while it holds the locks of a table. A separate
/// thread passes the lines to a sink, one at a time and in order. Thread-safe.
class LineLog {
 public:
  using Sink = std::function<void(std::string_view line)>;

  /// How many lines may wait. Further lines are dropped, and a line says how many.
  static constexpr std::size_t kWaitingMax = 1000;

  /// The line that says how many were dropped.
  using DroppedLine = std::function<std::string(std::size_t dropped)>;

  /// `sink` may block. It receives lines without an end of line. An empty sink discards everything.
  explicit LineLog(Sink sink, DroppedLine dropped_line = {});
  /// Passes all waiting lines to the sink first.
  ~LineLog();
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;

  /// Returns at once, and never calls the sink itself.
  void write(std::string line);

 private:
  void hand_over(const std::stop_token& stop);

  const Sink sink_;
  const DroppedLine dropped_line_;
  std::mutex lines_mutex_;  ///< Guards the next two.
  std::deque<std::string> lines_;
  std::size_t dropped_ = 0;
  std::condition_variable_any written_;
  std::jthread thread_;  ///< Last: it uses all the others.
};

}  // namespace dolmen
