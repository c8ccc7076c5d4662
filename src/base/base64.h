#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// The two alphabets of RFC 4648. Both are written with padding.
enum class Base64 : std::uint8_t { kStandard, kUrl };

/// The length of the encoding of `bytes` bytes.
std::size_t base64_size(std::size_t bytes);
/// Writes the encoding of `bytes` to `out`, which must have room for it. Returns its end.
char* write_base64(char* out, std::string_view bytes, Base64 alphabet = Base64::kStandard);
/// Appends the encoding of `bytes` to `out`.
void append_base64(std::string& out, std::string_view bytes, Base64 alphabet = Base64::kStandard);

std::string encode_base64(std::string_view bytes, Base64 alphabet = Base64::kStandard);

/// Strict: padded, no foreign characters, no line breaks, unused bits zero. Every byte string thus has exactly one
/// text, and `encode_base64(*decode_base64(text)) == text`. Fails with kSerialization and DynamoDB's words.
Result<std::string> decode_base64(std::string_view text, Base64 alphabet = Base64::kStandard);
/// Fails as `decode_base64` does, without decoding anything.
Result<void> check_base64(std::string_view text, Base64 alphabet = Base64::kStandard);
/// The number of bytes that a text stands for. `check_base64` must have accepted the text.
std::size_t decoded_base64_size(std::string_view text);
/// Writes the bytes that such a text stands for to `out`, which must have room for them. Returns their end.
char* write_decoded_base64(char* out, std::string_view text, Base64 alphabet = Base64::kStandard);

}  // namespace dolmen
