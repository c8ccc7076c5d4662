#pragma once

namespace dolmen {

/// The work that a store does by itself now and then. A companion of an embedded Store, for tests, whose clocks jump.
class StoreUpkeep {
 public:
  virtual ~StoreUpkeep() = default;
  /// Waits until what has expired by the clock is removed and every table's time to live is built, or until that fails.
  virtual void finish_expiry() = 0;
};

}  // namespace dolmen
