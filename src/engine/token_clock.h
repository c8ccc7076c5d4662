#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "dolmen/error.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Measures the ten minutes of client tokens (client_tokens.h) in time that really passes: when the wall clock of the
/// machine jumps forward, a token must not be forgotten early, because its transaction would happen twice.
///
/// The time is that since the machine was started, plus an offset that the storage keeps, so that it goes on after a
/// restart of the program. After a restart of the machine it begins anew with the wall clock:
///
///     kTokens   "clock"      the offset in nanoseconds (8 bytes, big-endian), then the name of the machine's run
class TokenClock {
 public:
  /// Time that passes evenly, and the name of the run of the machine in which it does.
  struct Even {
    std::function<std::chrono::nanoseconds()> since_boot;
    std::string boot;
  };

  /// Without `even`, the tokens follow `wall`, which must outlive this object.
  static Result<std::unique_ptr<TokenClock>> load(const storage::Storage& storage, const Clock& wall, Even even);

  [[nodiscard]] Clock::TimePoint now() const;

  /// Adds the offset to a batch that remembers a token, until one has been committed.
  void save(storage::Batch& batch) const;

 private:
  TokenClock(const Clock& wall, Even even) : wall_(wall), even_(std::move(even)) {}

  const Clock& wall_;
  const Even even_;
  std::chrono::nanoseconds offset_{0};
  std::shared_ptr<std::atomic<bool>> saved_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace dolmen::engine
