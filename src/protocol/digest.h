#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dolmen {

/// Two hexadecimal digits in lower case for each byte.
std::string hex(std::span<const unsigned char> bytes);

/// SHA-256 as 64 hexadecimal digits in lower case.
std::string hex_sha256(std::string_view bytes);

}  // namespace dolmen
