#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "dolmen/error.h"
#include "storage/storage.h"

/// Client tokens make a transaction happen only once, however often it is sent: for ten minutes a token stands for one
/// request. Tokens are stored with the data, so they survive a restart.
namespace dolmen::engine::client_tokens {

/// What a token stands for.
struct Use {
  /// 16 bytes, which tell the request from others.
  std::string_view digest;
  /// The size of the item of each action, before or after it, whichever is larger: what a repetition is charged for.
  std::span<const std::uint64_t> item_bytes;
};

/// The sizes that were remembered when the token was used for the request with this digest; nothing when it was not
/// used. Fails with kIdempotencyMismatch for another digest. Both functions need the token's lock (lock_table.h).
Result<std::optional<std::vector<std::uint64_t>>> look_up(const storage::Storage& storage, std::string_view token,
                                                          std::string_view digest, Clock::TimePoint now);

/// Adds the token to the batch, and removes some expired ones.
Result<void> remember(const storage::Storage& storage, storage::Batch& batch, std::string_view token, const Use& use,
                      Clock::TimePoint now);

}  // namespace dolmen::engine::client_tokens
