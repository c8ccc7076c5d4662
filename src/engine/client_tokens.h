#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "dolmen/error.h"
#include "storage/storage.h"

/// Client tokens make a transaction happen only once, however often it is sent: for ten minutes a token stands for one
/// request. Tokens are stored with the data, so they survive a restart.
namespace dolmen::engine::client_tokens {

enum class Seen : std::uint8_t { kNever, kSameRequest };

/// Whether the token was used for the request with this digest. Fails with kIdempotencyMismatch for another digest.
/// Both functions need the token's lock (lock_table.h).
Result<Seen> look_up(const storage::Storage& storage, std::string_view token, std::string_view digest,
                     Clock::TimePoint now);

/// Adds the token to the batch, and removes some expired ones.
Result<void> remember(const storage::Storage& storage, storage::Batch& batch, std::string_view token,
                      std::string_view digest, Clock::TimePoint now);

}  // namespace dolmen::engine::client_tokens
