#include "protocol/digest.h"

#include <algorithm>
#include <openssl/evp.h>

#include "base/check.h"

namespace dolmen {
namespace {

/// One for each thread, because finding the algorithm and its memory costs more than hashing a short text.
class Hasher {
 public:
  Hasher() : algorithm_(EVP_MD_fetch(nullptr, "SHA256", nullptr)), context_(EVP_MD_CTX_new()) {
    DOLMEN_CHECK(algorithm_ != nullptr && context_ != nullptr, "SHA-256 is available");
  }
  ~Hasher() {
    EVP_MD_CTX_free(context_);
    EVP_MD_free(algorithm_);
  }
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& begin() {
    DOLMEN_CHECK(EVP_DigestInit_ex2(context_, algorithm_, nullptr) == 1, "SHA-256 can be started");
    return *this;
  }
  Hasher& add(const void* bytes, std::size_t count) {
    DOLMEN_CHECK(EVP_DigestUpdate(context_, bytes, count) == 1, "SHA-256 takes any bytes");
    return *this;
  }
  Digest end() {
    Digest digest;
    DOLMEN_CHECK(EVP_DigestFinal_ex(context_, digest.data(), nullptr) == 1, "SHA-256 comes to an end");
    return digest;
  }

 private:
  EVP_MD* algorithm_;
  EVP_MD_CTX* context_;
};

Hasher& hasher() {
  thread_local Hasher hasher;
  return hasher;
}

std::span<const unsigned char> bytes_of(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

}  // namespace

Digest sha256(std::string_view bytes) { return hasher().begin().add(bytes.data(), bytes.size()).end(); }

/// RFC 2104.
Digest hmac_sha256(std::span<const unsigned char> key, std::string_view message) {
  std::array<unsigned char, 64> block{};
  const Digest short_key =
      key.size() > block.size() ? sha256({reinterpret_cast<const char*>(key.data()), key.size()}) : Digest{};
  std::ranges::copy(key.size() > block.size() ? std::span<const unsigned char>(short_key) : key, block.begin());
  const auto padded = [&block](unsigned char pad) {
    std::array<unsigned char, 64> bytes = block;
    for (unsigned char& byte : bytes) byte ^= pad;
    return bytes;
  };
  const auto inner_block = padded(0x36);
  const Digest inner =
      hasher().begin().add(inner_block.data(), inner_block.size()).add(message.data(), message.size()).end();
  const auto outer_block = padded(0x5c);
  return hasher().begin().add(outer_block.data(), outer_block.size()).add(inner.data(), inner.size()).end();
}

Digest hmac_sha256(std::string_view key, std::string_view message) { return hmac_sha256(bytes_of(key), message); }

std::string hex(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(2 * bytes.size(), '0');
  char* at = text.data();
  for (const unsigned char byte : bytes) {
    *at++ = kDigits[byte >> 4];
    *at++ = kDigits[byte & 15];
  }
  return text;
}

std::string hex_sha256(std::string_view bytes) { return hex(sha256(bytes)); }

}  // namespace dolmen
