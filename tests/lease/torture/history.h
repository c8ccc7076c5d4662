#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dolmen::torture {

/// Moments in the order in which they happened, over all threads.
using Moment = std::uint64_t;

/// A call to the store, from before it was made until after it returned.
struct Interval {
  Moment called = 0;
  Moment returned = 0;
};

/// One lease, from its acquisition to its end.
struct Acquisition {
  std::size_t key = 0;
  /// The time that the worker sent, by its own clock, and what that clock is ahead of the true time.
  std::int64_t now_ms = 0;
  std::int64_t skew_ms = 0;
  Interval acquired;
  /// When the answer had come, in true time.
  std::int64_t acquired_ms = 0;
  /// As the last successful refresh left it, in seconds.
  std::int64_t expires_at = 0;
  /// Only of keys with fencing.
  std::optional<std::int64_t> generation = std::nullopt;
  /// The release or publication that ended it; nothing when the worker died or lost it.
  std::optional<Interval> ended = std::nullopt;
  /// A refresh or publication that was refused, the time it sent, and when the lease ended then.
  struct Refusal {
    Interval asked;
    std::int64_t now_ms = 0;
  };
  std::optional<Refusal> refused = std::nullopt;
  /// When the worker last counted on the lease, in true time: it does so while its own clock is before the end by more
  /// than clocks differ.
  std::optional<std::int64_t> counted_on_ms = std::nullopt;
  /// What it published: one more than what it had read after it was acquired.
  std::optional<std::int64_t> published = std::nullopt;
};

struct HistoryReport {
  std::vector<std::string> violations;
  /// How many acquisitions could be compared with the one before: without generations, those that no other call
  /// crosses.
  std::size_t compared = 0;
};

/// Checks what all workers saw.
///
/// For every acquisition that followed another one of the same key: by the rule of leases, nobody may acquire while
/// `expires_at` > now unless the lease was given back; nobody still counts on a lease, in true time, when another has
/// acquired it; generations grow without a gap, in the order of time; nobody loses a lease that has not ended and that
/// nobody took. And for every key: each number was published exactly once.
HistoryReport check(std::vector<Acquisition> history, std::size_t keys);

}  // namespace dolmen::torture
