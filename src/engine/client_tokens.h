#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "dolmen/error.h"
#include "storage/storage.h"

/// Client tokens make a transaction happen once however often it is sent: for ten minutes a token stands for one
/// request. They are kept with the data, so that a restart does not forget them.
namespace dolmen::engine::client_tokens {

enum class Seen : std::uint8_t { kNever, kSameRequest };

/// Whether the token was used for the request with this digest. kIdempotencyMismatch when it was used for another.
/// Both functions need the token's lock (lock_table.h).
Result<Seen> look_up(const storage::Storage& storage, std::string_view token, std::string_view digest,
                     Clock::TimePoint now);

/// Remembers the token with the batch, and forgets some that have had their time.
Result<void> remember(const storage::Storage& storage, storage::Batch& batch, std::string_view token,
                      std::string_view digest, Clock::TimePoint now);

}  // namespace dolmen::engine::client_tokens
