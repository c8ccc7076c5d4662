#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dolmen {

/// What SHA-256 makes of any bytes.
using Digest = std::array<unsigned char, 32>;

Digest sha256(std::string_view bytes);

/// A key of HMAC with SHA-256. Making it costs as much as signing a short message.
class HmacKey {
 public:
  explicit HmacKey(std::span<const unsigned char> key);
  explicit HmacKey(std::string_view key);

  [[nodiscard]] Digest sign(std::string_view message) const;

 private:
  /// Where SHA-256 stands after a block that was made of the key.
  using State = std::array<std::uint32_t, 8>;

  State inner_;
  State outer_;
};

/// HMAC with SHA-256, for a key that is used once.
Digest hmac_sha256(std::span<const unsigned char> key, std::string_view message);
Digest hmac_sha256(std::string_view key, std::string_view message);

/// Two hexadecimal digits in lower case for each byte.
std::string hex(std::span<const unsigned char> bytes);

/// SHA-256 as 64 hexadecimal digits in lower case.
std::string hex_sha256(std::string_view bytes);

/// The same without memory of its own.
using HexDigest = std::array<char, 2 * sizeof(Digest)>;
HexDigest hex_digest(const Digest& digest);

}  // namespace dolmen
