#pragma once

#include <algorithm>
#include <cstddef>
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

/// The text without the `spaces` at its start and end. Always a view into `text`, even when nothing is left.
inline std::string_view trimmed(std::string_view text, std::string_view spaces = " \t") {
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return text.substr(0, 0);
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

}  // namespace dolmen
