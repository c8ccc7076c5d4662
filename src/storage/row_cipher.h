#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"

namespace dolmen::storage {

/// Authenticated encryption with one 256-bit key: XAES-256-GCM (c2sp.org/XAES-256-GCM). Every message gets a random
/// nonce of 192 bits and, derived from the first half of it, a key of its own for AES-256-GCM. So one key may encrypt
/// as many messages as a store can ever hold. Any thread may use it.
class RowCipher {
 public:
  static constexpr std::size_t kKeyBytes = 32;
  static constexpr std::size_t kNonceBytes = 24;
  static constexpr std::size_t kTagBytes = 16;
  /// How much longer a sealed message is than a plain one.
  static constexpr std::size_t kOverheadBytes = kNonceBytes + kTagBytes;

  using Key = std::array<std::uint8_t, kKeyBytes>;
  using Nonce = std::array<std::uint8_t, kNonceBytes>;

  explicit RowCipher(const Key& key);
  /// Wipes the key.
  ~RowCipher();
  RowCipher(const RowCipher&) = delete;
  RowCipher& operator=(const RowCipher&) = delete;

  /// Appends a random nonce, the encrypted `plain` and a tag to `out`. Whoever opens it must name the same `context`,
  /// which is not part of the output.
  void seal(std::string_view context, std::string_view plain, std::string& out, Random& random = system_random()) const;

  /// Sets `plain` to what was sealed and returns true. False, with nothing in `plain`, when `sealed` was made with
  /// another key or context, was changed, or is not whole.
  [[nodiscard]] bool open(std::string_view context, std::string_view sealed, std::string& plain) const;

 private:
  [[nodiscard]] Key derived(std::span<const std::uint8_t, 12> salt) const;

  Key key_;
  std::array<std::uint8_t, 16> mask_{};  ///< The first subkey of CMAC.
};

/// A fresh random key. The caller wipes it.
RowCipher::Key random_key(Random& random);

/// Overwrites a key that is not needed any more.
void wipe(RowCipher::Key& key);

}  // namespace dolmen::storage
