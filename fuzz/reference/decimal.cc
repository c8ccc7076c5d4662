#include "fuzz/reference/decimal.h"

#include <algorithm>
#include <array>

namespace dolmen::reference {
namespace {

// More than any number that can be stored needs: 38 digits below 1E-130, and a sum of two just below 1E126.
constexpr int kFractionDigits = 170;
constexpr int kIntegerDigits = 130;

/// A number with every digit written out; place 0 is the least significant one.
struct Digits {
  bool negative = false;
  std::array<int, kFractionDigits + kIntegerDigits> at{};
};

Digits digits_of(std::string_view text) {
  Digits digits;
  digits.negative = text.starts_with('-');
  if (digits.negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t i = 0; i < point; ++i)
    digits.at[static_cast<std::size_t>(kFractionDigits) + point - 1 - i] = text[i] - '0';
  for (std::size_t i = point + 1; i < text.size(); ++i)
    digits.at[static_cast<std::size_t>(kFractionDigits) + point - i] = text[i] - '0';
  return digits;
}

int compare_magnitudes(const Digits& a, const Digits& b) {
  for (std::size_t i = a.at.size(); i-- > 0;)
    if (a.at[i] != b.at[i]) return a.at[i] < b.at[i] ? -1 : 1;
  return 0;
}

/// |a| + |b|, or |a| - |b| where |a| >= |b|.
Digits combined(const Digits& a, const Digits& b, int sign) {
  Digits result;
  int carry = 0;
  for (std::size_t i = 0; i < a.at.size(); ++i) {
    const int sum = a.at[i] + sign * b.at[i] + carry;
    result.at[i] = (sum + 10) % 10;
    carry = sum < 0 ? -1 : sum / 10;
  }
  return result;
}

/// Plain text without needless zeros; nothing when the number cannot be stored.
std::optional<std::string> stored_text(const Digits& digits) {
  const int size = static_cast<int>(digits.at.size());
  int highest = size - 1;
  while (highest >= 0 && digits.at[static_cast<std::size_t>(highest)] == 0) --highest;
  if (highest < 0) return "0";
  int lowest = 0;
  while (digits.at[static_cast<std::size_t>(lowest)] == 0) ++lowest;
  const int magnitude = highest - kFractionDigits;
  if (magnitude > 125 || magnitude < -130 || highest - lowest + 1 > 38) return std::nullopt;
  std::string text = digits.negative ? "-" : "";
  for (int i = std::max(highest, kFractionDigits); i >= std::min(lowest, kFractionDigits); --i) {
    if (i == kFractionDigits - 1) text += '.';
    text += static_cast<char>('0' + digits.at[static_cast<std::size_t>(i)]);
  }
  return text;
}

bool is_digit(char c) { return '0' <= c && c <= '9'; }

/// Removes the exponent from the end of `text`; nothing when it is malformed or beyond the range of every number.
std::optional<int> take_exponent(std::string_view& text) {
  const std::size_t at = text.find_first_of("eE");
  if (at == std::string_view::npos) return 0;
  std::string_view exponent = text.substr(at + 1);
  text = text.substr(0, at);
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  if (exponent.empty() || !std::ranges::all_of(exponent, is_digit)) return std::nullopt;
  while (exponent.size() > 1 && exponent[0] == '0') exponent.remove_prefix(1);
  if (exponent.size() > 6) return std::nullopt;
  return (negative ? -1 : 1) * std::stoi(std::string(exponent));
}

}  // namespace

std::optional<std::string> read_decimal(std::string_view text) {
  const std::optional<int> exponent = take_exponent(text);
  if (!exponent) return std::nullopt;
  Digits digits{.negative = text.starts_with('-')};
  if (digits.negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string mantissa(text);
  if (point < mantissa.size()) mantissa.erase(point, 1);
  if (mantissa.empty() || !std::ranges::all_of(mantissa, is_digit)) return std::nullopt;
  for (std::size_t i = 0; i < mantissa.size(); ++i) {
    if (mantissa[i] == '0') continue;
    const long place = kFractionDigits + *exponent + static_cast<long>(point) - 1 - static_cast<long>(i);
    if (place < 0 || place >= static_cast<long>(digits.at.size())) return std::nullopt;
    digits.at[static_cast<std::size_t>(place)] = mantissa[i] - '0';
  }
  return stored_text(digits);
}

std::size_t decimal_size(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string_view before = text.substr(0, point);
  std::string_view after = point < text.size() ? text.substr(point + 1) : "";
  if (after.empty())
    while (before.ends_with('0')) before.remove_suffix(1);
  if (before == "0" || before.empty()) {
    before = "";
    while (after.starts_with('0')) after.remove_prefix(1);
  }
  return 1 + (before.size() + 1) / 2 + (after.size() + 1) / 2 + (negative ? 1 : 0);
}

int compare_decimals(std::string_view a, std::string_view b) {
  const Digits left = digits_of(a);
  const Digits right = digits_of(b);
  if (left.negative != right.negative) return left.negative ? -1 : 1;
  return left.negative ? compare_magnitudes(right, left) : compare_magnitudes(left, right);
}

std::optional<std::string> add_decimals(std::string_view a, std::string_view b) {
  const Digits left = digits_of(a);
  const Digits right = digits_of(b);
  Digits sum;
  if (left.negative == right.negative) {
    sum = combined(left, right, 1);
    sum.negative = left.negative;
  } else if (compare_magnitudes(left, right) >= 0) {
    sum = combined(left, right, -1);
    sum.negative = left.negative;
  } else {
    sum = combined(right, left, -1);
    sum.negative = right.negative;
  }
  return stored_text(sum);
}

std::string negated_decimal(std::string_view a) {
  if (a == "0") return "0";
  return a.starts_with('-') ? std::string(a.substr(1)) : "-" + std::string(a);
}

}  // namespace dolmen::reference
