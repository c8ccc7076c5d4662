#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

namespace faults {
class Core;
}

/// What the fault lab can do to a request.
enum class Fault : std::uint8_t {
  kThrottle,       ///< kThrottled; a transaction is canceled for it
  kInternalError,  ///< kUnavailable, or kUnknownOutcome for a write, which has no effect
  kLatency,        ///< the request begins later
  kConflict,       ///< kTransactionConflict; a transaction is canceled for it
  kInProgress,     ///< kTransactionInProgress, for a transaction with a client token
  kUnprocessed,    ///< a batch does only a part of its work
  kIndexLag,       ///< a read of a global index sees an earlier moment
  kStreamLag,      ///< a read of a stream finds nothing yet
  kCutBefore,      ///< the connection breaks before the effect: kUnavailable, or kUnknownOutcome for a write
  kCutAfter,       ///< the same after the effect
};

/// throttle, internal-error, latency, conflict, in-progress, unprocessed, index-lag, stream-lag, cut-before or
/// cut-after.
std::string_view fault_name(Fault fault);
std::optional<Fault> fault_of(std::string_view name);

/// When a fault happens.
struct FaultRule {
  Fault fault = Fault::kThrottle;
  /// From 0 to 1. kUnprocessed draws for each key or item of a batch.
  double probability = 1;
  /// Names such as "PutItem"; empty means all that the fault is possible for.
  std::vector<std::string> operations = {};
  /// In which * stands for any characters; empty means all.
  std::vector<std::string> tables = {};
  /// So many requests that match are spared first,
  std::uint64_t skip = 0;
  /// and so many then have the fault.
  std::uint64_t times = std::numeric_limits<std::uint64_t>::max();
  /// Of kLatency.
  std::chrono::milliseconds latency{100};
  /// Of kIndexLag: so many writes are not in the index yet. 1 to 64.
  std::uint32_t writes = 1;
};

/// Does to a store what production does to it: throttles, fails, is slow, loses connections. Everything follows from a
/// seed and the number of a request, so that the same requests meet the same faults again:
///
///     auto faults = std::make_shared<FaultLab>();
///     faults->seed(42).throttle(0.1).cut_after_effect(0.02);
///     auto store = open_embedded({.durability = Durability::kMemory, .faults = faults}).value();
///
/// Belongs to one store at a time. Thread-safe. A rule that cannot be (a probability above 1) makes every request fail
/// with kInvalidArgument. See docs/testing.md.
class FaultLab {
 public:
  /// With a random seed and without rules.
  FaultLab();
  ~FaultLab();
  FaultLab(const FaultLab&) = delete;
  FaultLab& operator=(const FaultLab&) = delete;

  /// From one line, such as "seed=42, throttle=0.1, latency=0.5, latency-ms=20". Fails with kInvalidArgument.
  static Result<std::shared_ptr<FaultLab>> from_text(std::string_view text);

  /// The next request is number 1 again.
  FaultLab& seed(std::uint64_t seed);
  FaultLab& throttle(double probability) { return add({.fault = Fault::kThrottle, .probability = probability}); }
  FaultLab& internal_error(double probability) {
    return add({.fault = Fault::kInternalError, .probability = probability});
  }
  FaultLab& latency(double probability, std::chrono::milliseconds latency) {
    return add({.fault = Fault::kLatency, .probability = probability, .latency = latency});
  }
  FaultLab& conflict(double probability) { return add({.fault = Fault::kConflict, .probability = probability}); }
  FaultLab& in_progress(double probability) { return add({.fault = Fault::kInProgress, .probability = probability}); }
  FaultLab& unprocessed(double probability) { return add({.fault = Fault::kUnprocessed, .probability = probability}); }
  FaultLab& index_lag(double probability, std::uint32_t writes = 1) {
    return add({.fault = Fault::kIndexLag, .probability = probability, .writes = writes});
  }
  FaultLab& stream_lag(double probability) { return add({.fault = Fault::kStreamLag, .probability = probability}); }
  FaultLab& cut_before_effect(double probability) {
    return add({.fault = Fault::kCutBefore, .probability = probability});
  }
  FaultLab& cut_after_effect(double probability) {
    return add({.fault = Fault::kCutAfter, .probability = probability});
  }
  /// Latencies of several rules add up. Of all other faults of a request the first rule decides.
  FaultLab& add(FaultRule rule);
  /// Removes all rules. The numbers go on.
  FaultLab& clear();

  [[nodiscard]] std::uint64_t seed() const;
  /// Of the latest request; 0 before the first.
  [[nodiscard]] std::uint64_t number() const;
  /// How many requests had each fault so far.
  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const;

  /// For the other parts of Dolmen.
  [[nodiscard]] faults::Core& core() noexcept { return *core_; }

 private:
  std::unique_ptr<faults::Core> core_;
};

}  // namespace dolmen
