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
  /// What it published: one more than what it had read after it was acquired.
  std::optional<std::int64_t> published = std::nullopt;
};

struct HistoryOptions {
  std::size_t keys = 0;
  /// Clocks differ by at most this. Holders count on a lease until so long before its end.
  std::int64_t skew_range_ms = 0;
};

/// Checks what all workers saw, and returns what is wrong with it.
///
/// For every acquisition that followed another one of the same key: by the rule of leases, nobody may acquire while
/// `expires_at` > now unless the lease was given back; generations grow without a gap, in the order of time; holders
/// that count on a lease until the range of the clocks before its end never do so at the same true time; nobody loses a
/// lease that has not ended and that nobody took. And for every key: each number was published exactly once.
std::vector<std::string> check(std::vector<Acquisition> history, const HistoryOptions& options);

}  // namespace dolmen::torture
