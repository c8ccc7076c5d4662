#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

/// Text functions that treat only ASCII characters specially, in every locale.
namespace dolmen {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }
inline bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

inline char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, ascii_lower, ascii_lower);
}

/// Whether the name of a header is `lower`, in any case. `lower` has only small letters, digits and hyphens, and `name`
/// is a token (RFC 9110): then a capital is the only other character that becomes one of these with the bit of small
/// letters.
inline bool is_header_name(std::string_view name, std::string_view lower) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  constexpr std::uint64_t kSmall = 0x2020202020202020;
  if (name.size() != lower.size()) return false;
  if (name.size() < kWord) return equals_ignoring_case(name, lower);
  const auto differ = [&](std::size_t at) {
    std::uint64_t given;
    std::uint64_t wanted;
    std::memcpy(&given, name.data() + at, kWord);
    std::memcpy(&wanted, lower.data() + at, kWord);
    return (given | kSmall) != wanted;
  };
  for (std::size_t at = 0; at + kWord <= name.size(); at += kWord)
    if (differ(at)) return false;
  return !differ(name.size() - kWord);
}

/// The text without the `spaces` at its start and end. Always a view into `text`, even when nothing is left.
inline std::string_view trimmed(std::string_view text, std::string_view spaces = " \t") {
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return text.substr(0, 0);
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

}  // namespace dolmen
