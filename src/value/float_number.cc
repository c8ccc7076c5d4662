#include "value/float_number.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace dolmen {
namespace {

/// Whether ±digits * 10^exponent is above 3.4028235E38. It is near that.
bool is_above_largest(const Decimal& decimal) {
  constexpr std::string_view kLargest = "34028235";
  const std::string_view digits(decimal.digits, static_cast<std::size_t>(decimal.count));
  constexpr int kDigitsBeforePoint = 39;
  if (decimal.count + decimal.exponent != kDigitsBeforePoint)
    return decimal.count + decimal.exponent > kDigitsBeforePoint;
  // Neither has trailing zeros, so that the order of the digits is the order of the numbers.
  return digits > kLargest;
}

}  // namespace

std::optional<float> nearest_float(const Decimal& decimal) {
  if (decimal.count == 0) return 0.0F;
  char text[64];
  char* end = text;
  if (decimal.negative) *end++ = '-';
  for (int i = 0; i < decimal.count; ++i) *end++ = decimal.digits[i];
  *end++ = 'e';
  end = std::to_chars(end, text + sizeof text, decimal.exponent).ptr;
  float value = 0;
  if (std::from_chars(text, end, value).ec == std::errc::result_out_of_range) {
    if (decimal.count + decimal.exponent > 0) return std::nullopt;
    value = decimal.negative ? -0.0F : 0.0F;
  }
  if (std::abs(value) >= std::numeric_limits<float>::max() && is_above_largest(decimal)) return std::nullopt;
  return value;
}

std::optional<float> nearest_float(const Number& number) { return nearest_float(NumberParts::of(number).to_decimal()); }

Number number_of(float value) {
  char text[32];
  const char* const end = std::to_chars(text, text + sizeof text, value).ptr;
  return Number::parse(std::string_view(text, end)).value_or(Number());
}

void append_float(std::string& out, float value) {
  const std::size_t begin = out.size();
  if (value == 0 && std::signbit(value)) value = 0;
  number_of(value).append_to(out);
  if (out.find('.', begin) == std::string::npos) out.append(".0");
}

std::string scientific_text(const Number& number) {
  const Decimal decimal = NumberParts::of(number).to_decimal();
  if (decimal.count == 0) return "0";
  const std::string_view digits(decimal.digits, static_cast<std::size_t>(decimal.count));
  return fmt::format("{}{}{}{}E{:+}", decimal.negative ? "-" : "", digits.substr(0, 1), digits.size() > 1 ? "." : "",
                     digits.substr(1), decimal.count + decimal.exponent - 1);
}

}  // namespace dolmen
