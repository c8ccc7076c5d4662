#pragma once

#include <optional>

#include "base/metrics.h"
#include "dolmen/error.h"

namespace dolmen {

/// What a store in this process says about itself. A companion of its Store. Thread-safe.
class StoreMonitor {
 public:
  virtual ~StoreMonitor() = default;

  /// Takes about a millisecond.
  virtual void describe(metrics::Report& report) const = 0;
  /// Why every write is refused; nothing while they are accepted.
  [[nodiscard]] virtual std::optional<Error> write_failure() const = 0;
};

}  // namespace dolmen
