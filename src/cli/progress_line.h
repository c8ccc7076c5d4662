#pragma once

#include <chrono>
#include <string>

#include "transfer/format.h"

namespace dolmen::cli {

/// How far something is, on the last line of a terminal: a bar, the items, their rate and the time that is left. Shows
/// nothing when the standard error is not a terminal. Clears the line when it ends.
class ProgressLine {
 public:
  explicit ProgressLine(std::string name, bool silent = false);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Not more often than people can read; other calls cost nothing.
  void show(const transfer::Progress& progress);

  [[nodiscard]] double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  bool visible_;
  bool shown_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_ = started_;
};

/// "███▌    " for a part of the whole.
std::string progress_bar(double part, std::size_t width);
/// "1:02:03" or "0:07".
std::string duration_text(double seconds);
/// "631,204".
std::string grouped_digits(std::uint64_t number);

}  // namespace dolmen::cli
