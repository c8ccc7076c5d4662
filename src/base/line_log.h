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

/// Lines for the operator from places that must not wait, such as one that holds the locks of a table. A thread of its
/// own hands them to a sink, one after the other and in their order. Thread-safe.
class LineLog {
 public:
  using Sink = std::function<void(std::string_view line)>;

  /// So many lines may wait. Of more, the later ones are dropped, and a line says how many.
  static constexpr std::size_t kWaitingMax = 1000;

  /// `sink` may take its time; what it gets has no end of line. An empty one swallows everything.
  explicit LineLog(Sink sink);
  /// Hands over what waits.
  ~LineLog();
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;

  /// Returns at once, and never calls the sink itself.
  void write(std::string line);

 private:
  void hand_over(const std::stop_token& stop);

  const Sink sink_;
  std::mutex lines_mutex_;  ///< Guards the next two.
  std::deque<std::string> lines_;
  std::size_t dropped_ = 0;
  std::condition_variable_any written_;
  std::jthread thread_;  ///< Last: it uses all the others.
};

}  // namespace dolmen
