#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/metrics.h"

namespace dolmen::wire {

/// Everything that a server refuses or ends because there is too much of it, or because it takes too long. Each limit
/// has one name, by which it is documented (docs/security.md), set and counted.
enum class Limit : std::uint8_t {
  kConnections,
  kConnectionsPerAddress,
  kDescriptors,
  kIdleTime,
  kHeadTime,
  kRequestTime,
  kAnswerTime,
  kHeadBytes,
  kBodyBytes,
  kRequestsInFlight,
  kRequestMemory,
  kLargeRequestsWaiting,
};
inline constexpr std::size_t kLimitCount = static_cast<std::size_t>(Limit::kLargeRequestsWaiting) + 1;

/// For example "connections_max".
std::string_view limit_name(Limit limit);

/// What an HTTP server has now, and how often its limits were reached. Thread-safe; every member may be read at any
/// time.
class Traffic {
 public:
  std::atomic<std::size_t> connections = 0;             ///< open now
  std::atomic<std::uint64_t> connections_accepted = 0;  ///< since the start, without those that were turned away
  std::atomic<std::size_t> requests_in_flight = 0;      ///< complete and not answered
  /// Of unfinished requests, requests in flight and answers that clients have not taken. What is smaller than 16 KiB
  /// does not count.
  std::atomic<std::ptrdiff_t> request_bytes = 0;

  void hit(Limit limit) { hits_[static_cast<std::size_t>(limit)].fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t hits(Limit limit) const {
    return hits_[static_cast<std::size_t>(limit)].load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, kLimitCount> hits_{};
};

void describe(const Traffic& traffic, metrics::Report& report);

}  // namespace dolmen::wire
