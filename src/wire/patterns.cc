#include "wire/patterns.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "base/check.h"
#include "service/table_rules.h"

namespace dolmen::wire {
namespace {

bool is_name(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_name_character); }

/// A letter or digit at both ends.
bool is_bucket(std::string_view text) {
  return text.size() >= 2 && is_letter_or_digit(text.front()) && is_letter_or_digit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_'; });
}

bool is_account(std::string_view text) { return text.size() == 12 && std::ranges::all_of(text, is_digit); }

bool has_no_dollar(std::string_view text) { return !text.empty() && text.find('$') == std::string_view::npos; }

bool is_delimiter(std::string_view text) {
  return text.size() == 1 && std::string_view(",;:|\t ").find(text[0]) != std::string_view::npos;
}

/// Printable ASCII without the quotation mark and the comma.
bool is_csv_header(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != ','; });
}

bool is_token_of_sixteens(std::string_view text) {
  return !text.empty() && text.size() % 16 == 0 &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

/// \p{Print} of Java is printable ASCII.
bool is_printable(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Any text without control characters, but for tabs and ends of lines. JSON has been checked to be UTF-8.
bool is_plain_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\r' || c == '\n' || c == '\t';
  });
}

struct Pattern {
  std::string_view text;
  bool (*matches)(std::string_view);
};

constexpr Pattern kPatterns[] = {
    {"[a-zA-Z0-9_.-]+", is_name},
    {R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)", is_bucket},
    {"[0-9]{12}", is_account},
    {R"(^[^\$]+$)", has_no_dollar},
    {R"([,;:|\t ])", is_delimiter},
    {R"([\x20-\x21\x23-\x2B\x2D-\x7E]*)", is_csv_header},
    {"([0-9a-f]{16})+", is_token_of_sixteens},
    {R"(\p{Print}+)", is_printable},
    {R"([\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*)", is_plain_text},
};

const Pattern* find_pattern(std::string_view text) {
  const auto* found = std::ranges::find(kPatterns, text, &Pattern::text);
  return found == std::end(kPatterns) ? nullptr : found;
}

}  // namespace

bool is_known_pattern(std::string_view pattern) { return find_pattern(pattern) != nullptr; }

bool matches_pattern(std::string_view pattern, std::string_view text) {
  const Pattern* found = find_pattern(pattern);
  DOLMEN_CHECK(found != nullptr, "a pattern that is not implemented");
  return found->matches(text);
}

}  // namespace dolmen::wire
