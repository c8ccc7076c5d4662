#pragma once

#include <cstddef>
#include <string_view>

/// Base64 in the standard alphabet by the processor's vector instructions, as far as whole blocks go. Each function
/// returns how much of its input it has dealt with, from the front, which is nothing on a processor without AVX2. The
/// rest is left to base64.cc.
namespace dolmen::base64_blocks {

/// Writes four letters to `out` for each three of `bytes`.
std::size_t encode(char* out, std::string_view bytes);

/// How many characters at the front of `text` are known to be letters of the alphabet.
std::size_t check(std::string_view text);

/// Writes three bytes to `out`, which has room for all of them, for each four letters of `text`. They must be letters.
std::size_t decode(char* out, std::string_view text);

}  // namespace dolmen::base64_blocks
