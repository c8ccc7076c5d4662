#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "history.h"

namespace dolmen::torture {

/// One beginning of a request by a worker, until it was completed, failed, or its worker died.
struct RequestClaim {
  std::size_t key = 0;
  std::string id;
  Interval begun;
  /// The time that the worker sent, and the second until which the request is its own.
  std::int64_t now_ms = 0;
  std::int64_t end = 0;
  /// The lease that the worker carried the request out under: its end after each acquisition and refresh, and 0 when it
  /// was given back.
  struct LeaseEnd {
    Interval asked;
    std::int64_t expires_at = 0;
  };
  std::vector<LeaseEnd> leases = {};
  /// The publication that completed it, or the failure; nothing when the worker died.
  std::optional<Interval> ended = std::nullopt;
  bool completed = false;
};

/// Checks what all workers saw of requests: nobody begins a request before the time of its holder is over or while its
/// holder has the lease, and no request is completed twice. Returns the violations.
std::vector<std::string> check_requests(std::vector<RequestClaim> claims, const std::vector<Acquisition>& history);

}  // namespace dolmen::torture
