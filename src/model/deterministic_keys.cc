#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "dolmen/model/encryption.h"

namespace dolmen {

namespace {

using KeyBytes = std::array<std::uint8_t, SecretKey::kBytes>;

/// Every draw takes the next number, so that the tenth envelope is the same whoever makes it.
class DeterministicKeys final : public KeyProvider {
 public:
  explicit DeterministicKeys(std::string_view seed) {
    SHA256(reinterpret_cast<const unsigned char*>(seed.data()), seed.size(), master_.data());
  }

  Result<DataKey> generate(const KeyPurpose& purpose) override {
    const KeyBytes encrypted = draw("edk", purpose);
    const std::string stored(encrypted.begin(), encrypted.end());
    return DataKey{.key = SecretKey(mac(stored)), .encrypted = Bytes(stored)};
  }

  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& /*purpose*/) override {
    return SecretKey(mac(encrypted.view()));
  }

  Result<Nonce> nonce(const KeyPurpose& purpose) override {
    const KeyBytes bytes = draw("nonce", purpose);
    Nonce nonce{};
    std::copy_n(bytes.begin(), nonce.size(), nonce.begin());
    return nonce;
  }

 private:
  KeyBytes draw(std::string_view what, const KeyPurpose& purpose) {
    return mac(fmt::format("{}|{}|{}|{}", what, purpose.model, purpose.attribute, ++counter_));
  }

  [[nodiscard]] KeyBytes mac(std::string_view text) const {
    KeyBytes out{};
    unsigned length = 0;
    HMAC(EVP_sha256(), master_.data(), static_cast<int>(master_.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), out.data(), &length);
    return out;
  }

  KeyBytes master_{};
  std::atomic<std::uint64_t> counter_ = 0;
};

}  // namespace

std::unique_ptr<KeyProvider> deterministic_keys(std::string_view seed) {
  return std::make_unique<DeterministicKeys>(seed);
}

}  // namespace dolmen
