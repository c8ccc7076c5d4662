#include "entity/utf16.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace dolmen::entity {

namespace {

struct Decoded {
  char32_t code_point;
  std::size_t length;
};

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
}

/// The character that begins at `at`. Surrogates count as characters.
Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const char32_t first = byte(0);
  if (first >= 0xF0 && first < 0xF8 && continues(text, at + 1) && continues(text, at + 2) && continues(text, at + 3))
    return {(first & 7U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U | (byte(3) & 0x3FU), 4};
  if (first >= 0xE0 && first < 0xF0 && continues(text, at + 1) && continues(text, at + 2))
    return {(first & 15U) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
  if (first >= 0xC0 && first < 0xE0 && continues(text, at + 1)) return {(first & 31U) << 6U | (byte(1) & 0x3FU), 2};
  return {first, 1};
}

}  // namespace

bool is_ascii(std::string_view text) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::uint64_t seen = 0;
  for (; text.size() >= sizeof seen; text.remove_prefix(sizeof seen)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    seen |= word;
  }
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return (seen & kHighBits) == 0;
}

std::u16string utf16_units(std::string_view text) {
  std::u16string units;
  units.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode(text, at);
    at += decoded.length;
    if (decoded.code_point < 0x10000) {
      units.push_back(static_cast<char16_t>(decoded.code_point));
    } else {
      const char32_t rest = decoded.code_point - 0x10000;
      units.push_back(static_cast<char16_t>(0xD800 + (rest >> 10U)));
      units.push_back(static_cast<char16_t>(0xDC00 + (rest & 0x3FFU)));
    }
  }
  return units;
}

std::string text_of_units(std::u16string_view units) {
  std::string text;
  text.reserve(units.size());
  const auto add = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  for (std::size_t i = 0; i < units.size(); ++i) {
    char32_t point = units[i];
    if (point >= 0xD800 && point < 0xDC00 && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000) {
      point = 0x10000 + ((point - 0xD800) << 10U) + (units[i + 1] - 0xDC00U);
      ++i;
    }
    if (point < 0x80) {
      add(point);
    } else if (point < 0x800) {
      add(0xC0U | point >> 6U), add(0x80U | (point & 0x3FU));
    } else if (point < 0x10000) {
      add(0xE0U | point >> 12U), add(0x80U | (point >> 6U & 0x3FU)), add(0x80U | (point & 0x3FU));
    } else {
      add(0xF0U | point >> 18U), add(0x80U | (point >> 12U & 0x3FU)), add(0x80U | (point >> 6U & 0x3FU)),
          add(0x80U | (point & 0x3FU));
    }
  }
  return text;
}

bool units_less(std::string_view a, std::string_view b) {
  if (is_ascii(a) && is_ascii(b)) return a < b;
  return utf16_units(a) < utf16_units(b);
}

bool is_array_index(std::string_view name) noexcept {
  constexpr std::string_view kLargest = "4294967294";
  if (name.empty() || name.size() > kLargest.size() || (name[0] == '0' && name.size() > 1)) return false;
  if (!std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) return false;
  return name.size() < kLargest.size() || name <= kLargest;
}

bool listed_before(std::string_view a, std::string_view b) noexcept {
  if (!is_array_index(a)) return false;
  if (!is_array_index(b)) return true;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace dolmen::entity
