#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/model/encryption.h"

namespace dolmen {

/// How long data keys are kept, so that not every value asks a key service. What is kept is in memory only, and wiped
/// when it goes.
struct KeyCacheOptions {
  /// The number of values that one data key encrypts; 1 gives every value a key of its own. At most
  /// `kKeyUsesMax`.
  std::uint32_t uses_max = 1'000;
  /// A key that was fetched longer ago is not used any more, neither to encrypt nor to decrypt: so long it takes until
  /// a key that the service has disabled is really out of use.
  std::chrono::milliseconds age_max{std::chrono::minutes(5)};
  /// The number of keys that are kept for decryption, and of those for encryption, of which every attribute of every
  /// model has one. The one that was not used for the longest time goes first.
  std::size_t keys_max = 1'000;
  /// For tests.
  Now now = {};
};

/// Nonces are random and 96 bits long, so that the chance that two of so many values under one key have the same is
/// less than 2^-56.
inline constexpr std::uint32_t kKeyUsesMax = std::uint32_t{1} << 20;

/// The keys of another provider, kept for a while. Keys are never shared by different attributes or models.
/// Thread-safe. Fails with kInvalidArgument when a limit is 0 or uses_max is larger than kKeyUsesMax.
Result<std::unique_ptr<KeyProvider>> cached_keys(std::unique_ptr<KeyProvider> keys, KeyCacheOptions options = {});

}  // namespace dolmen
