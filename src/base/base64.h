#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// The two alphabets of RFC 4648. Both are written with padding.
enum class Base64 : std::uint8_t { kStandard, kUrl };

/// How long the encoding of so many bytes is.
std::size_t base64_size(std::size_t bytes);
/// Writes the encoding of `bytes`, for which there must be room. Returns its end.
char* write_base64(char* out, std::string_view bytes, Base64 alphabet = Base64::kStandard);
/// Appends the encoding of `bytes` to `out`.
void append_base64(std::string& out, std::string_view bytes, Base64 alphabet = Base64::kStandard);

std::string encode_base64(std::string_view bytes, Base64 alphabet = Base64::kStandard);

/// Strict: padded, no foreign characters, no line breaks, unused bits zero. So every byte string has exactly one
/// text, and `encode_base64(*decode_base64(text)) == text`. Fails with kSerialization and DynamoDB's words.
Result<std::string> decode_base64(std::string_view text, Base64 alphabet = Base64::kStandard);
/// Fails as `decode_base64` does, and makes nothing.
Result<void> check_base64(std::string_view text, Base64 alphabet = Base64::kStandard);
/// How many bytes a text stands for that `check_base64` accepts.
std::size_t decoded_base64_size(std::string_view text);
/// Writes what such a text stands for. There must be room for it. Returns its end.
char* write_decoded_base64(char* out, std::string_view text, Base64 alphabet = Base64::kStandard);

}  // namespace dolmen
