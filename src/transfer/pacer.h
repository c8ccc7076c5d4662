#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "dolmen/clock.h"

namespace dolmen::transfer {

/// Keeps reading below a number of units in a second. Thread-safe: all readers of a table share one.
class Pacer {
 public:
  struct Options {
    /// 0 means that nothing is limited.
    double units_per_second = 0;
    /// How many read at a time.
    unsigned readers = 1;
    /// Asked while it waits; true ends the wait.
    std::function<bool()> stopped = {};
    Now now = {};
    Sleep sleep = {};
  };

  explicit Pacer(Options options);

  /// How many items to ask for next, so that a page costs a reader about a second of its share; 0 leaves it to the
  /// store. Goes by what items have cost so far.
  [[nodiscard]] std::uint32_t page_size();

  /// Notes what a page has cost, and waits until it is paid for.
  void spend(double units, std::uint64_t items);

 private:
  const Options options_;
  std::mutex state_mutex_;  ///< Guards everything below.
  TimePoint paid_until_;
  double units_ = 0;
  double items_ = 0;
};

}  // namespace dolmen::transfer
