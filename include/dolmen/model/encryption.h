#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/bytes.h"
#include "dolmen/error.h"
#include "dolmen/value.h"

/// Encrypted attributes. Each value has a data key of its own; what is stored is the value under the data key
/// (AES-256-GCM, bound to the attribute's name) and the data key under a key that only the provider has.
namespace dolmen {

/// The 32 bytes of an AES-256 key. Can be moved, not copied; the destructor wipes it from memory.
class SecretKey {
 public:
  static constexpr std::size_t kBytes = 32;

  /// `bytes` must be 32 long. The caller's copy is the caller's to wipe.
  explicit SecretKey(std::span<const std::uint8_t, kBytes> bytes);
  ~SecretKey();
  SecretKey(SecretKey&& other) noexcept;
  SecretKey& operator=(SecretKey&& other) noexcept;
  SecretKey(const SecretKey&) = delete;
  SecretKey& operator=(const SecretKey&) = delete;

  [[nodiscard]] std::span<const std::uint8_t, kBytes> bytes() const noexcept { return bytes_; }

 private:
  std::array<std::uint8_t, kBytes> bytes_;
};

/// For which attribute of which model a key is wanted.
struct KeyPurpose {
  std::string_view model;
  std::string_view attribute;
};

/// A key for a value, and the form of it that is stored beside the value.
struct DataKey {
  SecretKey key;
  Bytes encrypted;
};

using Nonce = std::array<std::uint8_t, 12>;

/// Where data keys come from: a key management service, a key file. May be called from any thread.
class KeyProvider {
 public:
  virtual ~KeyProvider() = default;

  /// A key to encrypt a value with: one that has never been used before, or, of `cached_keys`
  /// (dolmen/model/key_cache.h), one that has been used for few values.
  virtual Result<DataKey> generate(const KeyPurpose& purpose) = 0;
  /// The key that `generate` gave together with `encrypted`. Fails with kInvalidEncryptedEnvelope when it is not
  /// one of this provider's.
  virtual Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) = 0;
  /// Random, unless a test wants to repeat itself.
  virtual Result<Nonce> nonce(const KeyPurpose& purpose);
  /// Whether this form of a data key is what `generate` would give today: under the key that is active now. False also
  /// when the provider cannot tell.
  [[nodiscard]] virtual bool is_current(const Bytes& encrypted) const;
};

/// Keys from a file, which must belong to the user and be closed to everybody else (mode 0600). Each line is a key id
/// and 64 hexadecimal digits; lines that begin with # are remarks. The first key encrypts, all of them decrypt, so that
/// a new key is put on top and the old ones stay for old items. Data keys are wrapped by RFC 3394.
///
/// Fails with kEncryptionNotConfigured and says what to change.
Result<std::unique_ptr<KeyProvider>> open_key_file(const std::filesystem::path& file);

/// Makes a key file with one random key. Fails with kInvalidArgument when the key id is not 1 to 64 letters, digits,
/// '-', '_' or '.', and with kIo when the file exists or cannot be written.
Result<void> create_key_file(const std::filesystem::path& file, std::string_view key_id);

/// The ids of the keys in a key file, the active one first. Fails as `open_key_file` does.
Result<std::vector<std::string>> key_ids_in(const std::filesystem::path& file);

/// Puts a new random key on top of a key file, so that it encrypts from now on; the other keys and the remarks stay as
/// they are. The file is replaced as a whole, durably. Fails as `open_key_file` does, with kInvalidArgument when the id
/// cannot be one or is taken, and with kIo.
Result<void> rotate_key_file(const std::filesystem::path& file, std::string_view key_id);

/// The same keys in the same order on every run. For tests only: anyone who knows `seed` can decrypt everything.
std::unique_ptr<KeyProvider> deterministic_keys(std::string_view seed);

/// Encrypts one attribute value into the map {v, edk, nonce, ct} that is stored in its place.
Result<AttributeValue> seal(const AttributeValue& value, const KeyPurpose& purpose, KeyProvider& keys);

/// The value that `seal`, in this or another language, has made such an envelope of. Fails with
/// kInvalidEncryptedEnvelope when the envelope is damaged or belongs to another attribute; the message holds nothing of
/// the value.
Result<AttributeValue> unseal(const AttributeValue& envelope, const KeyPurpose& purpose, KeyProvider& keys);

}  // namespace dolmen
