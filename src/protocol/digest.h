#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace dolmen {

/// What SHA-256 makes of any bytes.
using Digest = std::array<unsigned char, 32>;

Digest sha256(std::string_view bytes);
/// HMAC with SHA-256.
Digest hmac_sha256(std::span<const unsigned char> key, std::string_view message);
Digest hmac_sha256(std::string_view key, std::string_view message);

/// Two hexadecimal digits in lower case for each byte.
std::string hex(std::span<const unsigned char> bytes);

/// SHA-256 as 64 hexadecimal digits in lower case.
std::string hex_sha256(std::string_view bytes);

}  // namespace dolmen
