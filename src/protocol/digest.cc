#include "protocol/digest.h"

#include <algorithm>
#include <openssl/sha.h>

namespace dolmen {
namespace {

constexpr std::size_t kBlockBytes = SHA256_CBLOCK;
using Block = std::array<unsigned char, kBlockBytes>;

// OpenSSL 3 prefers its general interface, which costs more than hashing a short text does, and does not let a state be
// kept. These functions stay in its library, with the same code for the processor's instructions behind them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

class Hasher {
 public:
  Hasher() { SHA256_Init(&context_); }
  /// Goes on after one block.
  explicit Hasher(const std::array<std::uint32_t, 8>& state) : Hasher() {
    std::ranges::copy(state, std::begin(context_.h));
    context_.Nl = 8 * kBlockBytes;
  }

  Hasher& add(const void* bytes, std::size_t count) {
    SHA256_Update(&context_, bytes, count);
    return *this;
  }
  Digest end() {
    Digest digest;
    SHA256_Final(digest.data(), &context_);
    return digest;
  }
  /// After whole blocks.
  [[nodiscard]] std::array<std::uint32_t, 8> state() const {
    std::array<std::uint32_t, 8> state{};
    std::ranges::copy(context_.h, state.begin());
    return state;
  }

 private:
  SHA256_CTX context_;
};

#pragma GCC diagnostic pop

std::span<const unsigned char> bytes_of(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

void write_hex(std::span<const unsigned char> bytes, char* at) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const unsigned char byte : bytes) {
    *at++ = kDigits[byte >> 4];
    *at++ = kDigits[byte & 15];
  }
}

}  // namespace

Digest sha256(std::string_view bytes) { return Hasher().add(bytes.data(), bytes.size()).end(); }

/// RFC 2104.
HmacKey::HmacKey(std::span<const unsigned char> key) {
  Block block{};
  if (key.size() > block.size()) {
    const Digest short_key = sha256({reinterpret_cast<const char*>(key.data()), key.size()});
    std::ranges::copy(short_key, block.begin());
  } else {
    std::ranges::copy(key, block.begin());
  }
  const auto state_after = [&block](unsigned char pad) {
    Block padded = block;
    for (unsigned char& byte : padded) byte ^= pad;
    return Hasher().add(padded.data(), padded.size()).state();
  };
  inner_ = state_after(0x36);
  outer_ = state_after(0x5c);
}

HmacKey::HmacKey(std::string_view key) : HmacKey(bytes_of(key)) {}

Digest HmacKey::sign(std::string_view message) const {
  const Digest inner = Hasher(inner_).add(message.data(), message.size()).end();
  return Hasher(outer_).add(inner.data(), inner.size()).end();
}

Digest hmac_sha256(std::span<const unsigned char> key, std::string_view message) { return HmacKey(key).sign(message); }

Digest hmac_sha256(std::string_view key, std::string_view message) { return HmacKey(key).sign(message); }

std::string hex(std::span<const unsigned char> bytes) {
  std::string text(2 * bytes.size(), '0');
  write_hex(bytes, text.data());
  return text;
}

std::string hex_sha256(std::string_view bytes) { return hex(sha256(bytes)); }

HexDigest hex_digest(const Digest& digest) {
  HexDigest text;
  write_hex(digest, text.data());
  return text;
}

}  // namespace dolmen
