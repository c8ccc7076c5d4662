#include "base/unicode.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/fail.h"

namespace dolmen {
namespace {

constexpr char32_t kBad = 0xFFFFFFFF;

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/// Reads one code point at `at` and moves past it. kBad, with `at` unmoved, when the bytes are not well-formed.
char32_t take_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return text[at++];
  const unsigned length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() - at < length) return kBad;
  char32_t code_point = first & (0x7FU >> length);
  for (unsigned i = 1; i < length; ++i) {
    if (!is_continuation(byte(at + i))) return kBad;
    code_point = code_point << 6 | (byte(at + i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (overlong || surrogate || code_point > 0x10FFFF) return kBad;
  at += length;
  return code_point;
}

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;

std::uint64_t eight_bytes(const char* at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, 8);
  return bytes;
}

/// Most text is ASCII, which needs no further checks.
bool is_ascii(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t bits = 0;
  if (left < 8) {
    for (; left > 0; --left) bits |= static_cast<unsigned char>(*at++);
    return (bits & kHighBits) == 0;
  }
  for (; left >= 32; left -= 32, at += 32)
    bits |= eight_bytes(at) | eight_bytes(at + 8) | eight_bytes(at + 16) | eight_bytes(at + 24);
  for (; left >= 8; left -= 8, at += 8) bits |= eight_bytes(at);
  // The remaining bytes, together with some that were checked already.
  bits |= eight_bytes(text.data() + text.size() - 8);
  return (bits & kHighBits) == 0;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  if (is_ascii(text)) return true;
  for (std::size_t at = 0; at < text.size();)
    if (take_code_point(text, at) == kBad) return false;
  return true;
}

Result<std::u16string> utf16_from_utf8(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code_point = take_code_point(text, at);
    if (code_point == kBad) return fail(Code::kSerialization, "invalid UTF-8 at byte {}", at);
    if (code_point < 0x10000) {
      out.push_back(static_cast<char16_t>(code_point));
    } else {
      out.push_back(static_cast<char16_t>(0xD800 + ((code_point - 0x10000) >> 10)));
      out.push_back(static_cast<char16_t>(0xDC00 + ((code_point - 0x10000) & 0x3FF)));
    }
  }
  return out;
}

Result<std::string> utf8_from_utf16(std::u16string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char32_t unit = text[at];
    if (unit < 0xD800 || unit > 0xDFFF) {
      append_utf8(out, unit);
      continue;
    }
    const bool paired = unit < 0xDC00 && at + 1 < text.size() && text[at + 1] >= 0xDC00 && text[at + 1] <= 0xDFFF;
    if (!paired) return fail(Code::kSerialization, "lone UTF-16 surrogate at code unit {}", at);
    append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (text[++at] - 0xDC00U));
  }
  return out;
}

std::size_t utf16_length(std::string_view text) noexcept {
  // A code point takes one unit for its first byte, and one more when it is four bytes long.
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !is_continuation(static_cast<unsigned char>(c)); }) +
      std::ranges::count_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0xF0; }));
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto push = [&](char32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code_point < 0x80) return push(code_point);
  if (code_point < 0x800) {
    push(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      push(0xE0 | code_point >> 12);
    } else {
      push(0xF0 | code_point >> 18);
      push(0x80 | (code_point >> 12 & 0x3F));
    }
    push(0x80 | (code_point >> 6 & 0x3F));
  }
  push(0x80 | (code_point & 0x3F));
}

}  // namespace dolmen
