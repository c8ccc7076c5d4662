#include "base/number_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

namespace dolmen {
namespace {

/// The parts of a decimal number without its sign.
struct Decimal {
  std::string_view whole;
  std::string_view fraction;
  bool exponent_is_negative = false;
  std::string_view exponent;
};

std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(digits.size());
  return digits;
}

std::optional<Decimal> take_apart(std::string_view text) {
  Decimal decimal;
  decimal.whole = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    decimal.fraction = take_digits(text);
  }
  if (decimal.whole.empty() && decimal.fraction.empty()) return std::nullopt;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    decimal.exponent_is_negative = text.starts_with('-');
    if (decimal.exponent_is_negative || text.starts_with('+')) text.remove_prefix(1);
    decimal.exponent = take_digits(text);
    if (decimal.exponent.empty()) return std::nullopt;
  }
  return text.empty() ? std::optional(decimal) : std::nullopt;
}

/// Whether a number other than zero is at least one. Numbers that no double can hold are far from one.
bool is_large(const Decimal& decimal) {
  const std::size_t zeros = std::min(decimal.whole.find_first_not_of('0'), decimal.whole.size());
  auto places = static_cast<std::int64_t>(decimal.whole.size() - zeros);
  if (places == 0) places = -static_cast<std::int64_t>(decimal.fraction.find_first_not_of('0'));
  std::int64_t exponent = 0;
  const auto read =
      std::from_chars(decimal.exponent.data(), decimal.exponent.data() + decimal.exponent.size(), exponent);
  // No text is long enough to make up for an exponent that does not fit.
  if (read.ec == std::errc::result_out_of_range) return !decimal.exponent_is_negative;
  return places > (decimal.exponent_is_negative ? exponent : -exponent);
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::optional<Decimal> decimal = take_apart(text);
  if (!decimal) return std::nullopt;
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::result_out_of_range)
    value = is_large(*decimal) ? std::numeric_limits<double>::infinity() : 0;
  return negative ? -value : value;
}

}  // namespace dolmen
