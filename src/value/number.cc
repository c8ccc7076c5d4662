#include "dolmen/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/ascii.h"
#include "base/check.h"
#include "base/fail.h"
#include "base/limits.h"
#include "value/number_parts.h"

namespace dolmen {
namespace {

constexpr auto kPowers = [] {
  std::array<uint128, 39> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

std::unexpected<Error> overflow() {
  return fail(Code::kValidation,
              "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

std::unexpected<Error> underflow() {
  return fail(Code::kValidation,
              "Number underflow. Attempting to store a number with magnitude smaller than supported range");
}

std::unexpected<Error> too_precise() {
  return fail(Code::kValidation, "Attempting to store more than 38 significant digits in a Number");
}

std::unexpected<Error> not_a_number(std::string_view text) {
  if (text.empty()) return fail(Code::kValidation, "The parameter cannot be converted to a numeric value");
  return fail(Code::kValidation, "The parameter cannot be converted to a numeric value: {}", text);
}

/// A parsed number before its range is checked: the significant digits, without leading and trailing zeros, and the
/// power of ten of the last digit.
struct Scanned {
  uint128 coefficient = 0;
  int digit_count = 0;  // may exceed 38; the coefficient then holds only the first 38
  std::int64_t exponent = 0;
  bool negative = false;
};

/// Reads the digits of a mantissa, with at most one point, from the front of `text` into `out`. False when there is
/// no digit.
bool scan_mantissa(std::string_view& text, Scanned& out) {
  bool any = false;
  bool point = false;
  std::int64_t pending_zeros = 0;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == '.') {
      if (point) return false;
      point = true;
      continue;
    }
    if (!is_digit(c)) break;
    any = true;
    if (point) --out.exponent;
    if (c == '0') {
      // A zero counts only once a later digit shows that it was neither leading nor trailing.
      if (out.digit_count != 0) ++pending_zeros;
      continue;
    }
    for (; pending_zeros > 0; --pending_zeros)
      if (++out.digit_count <= limits::kNumberDigits) out.coefficient *= 10;
    if (++out.digit_count <= limits::kNumberDigits)
      out.coefficient = out.coefficient * 10 + static_cast<unsigned>(c - '0');
  }
  out.exponent += pending_zeros;
  return any;
}

/// A number of a few digits and nothing else, as most are: neither its range nor its precision can be exceeded.
std::optional<std::uint64_t> scan_short(std::string_view text) {
  constexpr std::size_t kDigitsMax = 18;
  if (text.empty() || text.size() > kDigitsMax) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

/// Reads `e±digits` from the whole of `text`. False when it is malformed or needs more than 64 bits.
bool scan_exponent(std::string_view text, Scanned& out) {
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  // Far beyond every limit, but small enough for further arithmetic.
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  out.exponent += std::clamp(exponent, -kFar, kFar);
  return true;
}

/// The number without its sign, when it is an integer that fits into 64 bits.
std::optional<std::uint64_t> integer_magnitude(const NumberParts& parts) {
  if (parts.exponent == 0 && parts.coefficient >> 64 == 0) return static_cast<std::uint64_t>(parts.coefficient);
  constexpr int kDigits = std::numeric_limits<std::uint64_t>::digits10 + 1;
  if (parts.exponent < 0 || digit_count(parts.coefficient) + parts.exponent > kDigits) return std::nullopt;
  const uint128 magnitude = parts.coefficient * power_of_ten(parts.exponent);
  if (magnitude > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return static_cast<std::uint64_t>(magnitude);
}

}  // namespace

uint128 power_of_ten(int power) noexcept { return kPowers[static_cast<std::size_t>(power)]; }

int digit_count(uint128 value) noexcept {
  return static_cast<int>(std::ranges::upper_bound(kPowers, value) - kPowers.begin());
}

Result<Number> NumberParts::normalised() const {
  NumberParts parts = *this;
  if (parts.coefficient == 0) return Number();
  while (parts.coefficient % 10 == 0) {
    parts.coefficient /= 10;
    ++parts.exponent;
  }
  const int count = digit_count(parts.coefficient);
  const int magnitude = parts.exponent + count - 1;
  if (magnitude > limits::kNumberExponentMax) return overflow();
  if (magnitude < limits::kNumberExponentMin) return underflow();
  // Only arithmetic can produce too many digits here, and DynamoDB reports that as an overflow too.
  if (count > limits::kNumberDigits) return overflow();
  return parts.to_number();
}

Decimal NumberParts::to_decimal() const noexcept {
  char reversed[40];
  int count = 0;
  std::uint64_t low = static_cast<std::uint64_t>(coefficient);
  if (coefficient >> 64 != 0) {
    // Division of 128 bits is slow, so split the number once into 19-digit halves.
    constexpr std::uint64_t kHalf = 10'000'000'000'000'000'000ULL;
    low = static_cast<std::uint64_t>(coefficient % kHalf);
    std::uint64_t high = static_cast<std::uint64_t>(coefficient / kHalf);
    for (int i = 0; i < 19; ++i, low /= 10) reversed[count++] = static_cast<char>('0' + low % 10);
    low = high;
  }
  for (; low != 0; low /= 10) reversed[count++] = static_cast<char>('0' + low % 10);
  Decimal decimal;
  decimal.count = count;
  decimal.exponent = exponent;
  decimal.negative = negative;
  std::reverse_copy(reversed, reversed + count, decimal.digits);
  return decimal;
}

char* write_text(const Decimal& decimal, char* out) noexcept {
  if (decimal.count == 0) {
    *out = '0';
    return out + 1;
  }
  if (decimal.negative) *out++ = '-';
  const int integer_digits = decimal.count + decimal.exponent;
  if (decimal.exponent >= 0) {
    out = std::copy_n(decimal.digits, decimal.count, out);
    return std::fill_n(out, decimal.exponent, '0');
  }
  if (integer_digits > 0) {
    out = std::copy_n(decimal.digits, integer_digits, out);
    *out++ = '.';
    return std::copy(decimal.digits + integer_digits, decimal.digits + decimal.count, out);
  }
  *out++ = '0';
  *out++ = '.';
  out = std::fill_n(out, -integer_digits, '0');
  return std::copy_n(decimal.digits, decimal.count, out);
}

Number::Number(bool negative, std::uint64_t magnitude) {
  if (magnitude == 0) return;
  // Every 64-bit number is in range, and division of 128 bits is slow.
  for (; magnitude % 10 == 0; magnitude /= 10) ++exponent_;
  low_ = magnitude;
  negative_ = negative;
}

Result<Number> Number::parse(std::string_view text) {
  if (const std::optional<std::uint64_t> value = scan_short(text)) return Number(false, *value);
  std::string_view rest = text;
  Scanned scanned;
  if (rest.starts_with('-') || rest.starts_with('+')) {
    scanned.negative = rest.front() == '-';
    rest.remove_prefix(1);
  }
  if (!scan_mantissa(rest, scanned)) return not_a_number(text);
  if (!rest.empty() && !scan_exponent(rest, scanned)) return not_a_number(text);
  // DynamoDB checks the range of a zero too, by its written exponent.
  const std::int64_t magnitude = scanned.exponent + std::max(scanned.digit_count, 1) - 1;
  if (magnitude > limits::kNumberExponentMax) return overflow();
  if (magnitude < limits::kNumberExponentMin) return underflow();
  if (scanned.digit_count > limits::kNumberDigits) return too_precise();
  if (scanned.digit_count == 0) return Number();
  return NumberParts{scanned.coefficient, static_cast<int>(scanned.exponent), scanned.negative}.to_number();
}

namespace {

/// The number that a double prints as, when it has at most six decimals, as most numbers have; much faster than the
/// general conversion. Below 10^15 only one number with the fewest decimals converts back to the double.
std::optional<Number> few_decimals(double value) {
  constexpr std::array<double, 7> kScales{1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};
  constexpr double kExact = 1e15;
  const double magnitude = std::abs(value);
  if (magnitude >= kExact) return std::nullopt;
  for (std::size_t decimals = 0; decimals < kScales.size(); ++decimals) {
    const double scaled = std::nearbyint(magnitude * kScales[decimals]);
    if (scaled >= kExact) return std::nullopt;
    if (scaled / kScales[decimals] != magnitude) continue;
    NumberParts parts = NumberParts::of(Number(static_cast<std::uint64_t>(scaled)));
    if (parts.coefficient == 0) return Number();
    parts.exponent -= static_cast<int>(decimals);
    parts.negative = value < 0;
    return parts.to_number();
  }
  return std::nullopt;
}

}  // namespace

Result<Number> Number::from_double(double value) {
  if (!std::isfinite(value)) return fail(Code::kValidation, "Infinity and NaN are not numbers that can be stored");
  if (const std::optional<Number> number = few_decimals(value)) return *number;
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  DOLMEN_CHECK(error == std::errc{}, "32 characters hold every double");
  return parse({text, end});
}

std::string Number::to_string() const {
  std::string out;
  append_to(out);
  return out;
}

void Number::append_to(std::string& out) const {
  char text[kNumberTextBytes];
  out.append(text, write_text(NumberParts::of(*this).to_decimal(), text));
}

std::optional<std::int64_t> Number::to_int64() const {
  constexpr std::uint64_t kMinimum = std::uint64_t{1} << 63;
  const std::optional<std::uint64_t> magnitude = integer_magnitude(NumberParts::of(*this));
  if (!magnitude || *magnitude > kMinimum - (negative_ ? 0 : 1)) return std::nullopt;
  return static_cast<std::int64_t>(negative_ ? 0 - *magnitude : *magnitude);
}

std::optional<std::uint64_t> Number::to_uint64() const {
  if (negative_) return std::nullopt;
  return integer_magnitude(NumberParts::of(*this));
}

double Number::to_double() const {
  const std::string text = to_string();
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Number Number::negated() const noexcept {
  NumberParts parts = NumberParts::of(*this);
  parts.negative = !parts.negative && parts.coefficient != 0;
  return parts.to_number();
}

std::strong_ordering operator<=>(const Number& a, const Number& b) noexcept {
  const NumberParts x = NumberParts::of(a);
  const NumberParts y = NumberParts::of(b);
  const auto sign = [](const NumberParts& parts) { return parts.coefficient == 0 ? 0 : parts.negative ? -1 : 1; };
  if (sign(x) != sign(y) || sign(x) == 0) return sign(x) <=> sign(y);
  const int x_digits = digit_count(x.coefficient);
  const int y_digits = digit_count(y.coefficient);
  std::strong_ordering order = x_digits + x.exponent <=> y_digits + y.exponent;
  if (order == 0) {
    // The same magnitude: compare digit by digit after padding the shorter coefficient.
    const int width = std::max(x_digits, y_digits);
    order = x.coefficient * power_of_ten(width - x_digits) <=> y.coefficient * power_of_ten(width - y_digits);
  }
  return sign(x) > 0 ? order : 0 <=> order;
}

Result<Number> add(const Number& a, const Number& b) {
  NumberParts larger = NumberParts::of(a);
  NumberParts smaller = NumberParts::of(b);
  if (larger.coefficient == 0) return b;
  if (smaller.coefficient == 0) return a;
  if (larger.exponent < smaller.exponent) std::swap(larger, smaller);

  // Bring both to the smaller exponent. The sum then ends in a digit that is not zero, so it has as many significant
  // digits as the larger operand, or one less where a subtraction borrows from a leading 1.
  const int shift = larger.exponent - smaller.exponent;
  const int width = digit_count(larger.coefficient) + shift;
  if (width > limits::kNumberDigits) {
    const bool leading_one = larger.coefficient < 2 * power_of_ten(digit_count(larger.coefficient) - 1);
    const bool may_borrow = larger.negative != smaller.negative && leading_one;
    if (width > limits::kNumberDigits + 1 || !may_borrow) return overflow();
  }
  larger.coefficient *= power_of_ten(shift);
  NumberParts sum{.exponent = smaller.exponent};
  if (larger.negative == smaller.negative) {
    sum.coefficient = larger.coefficient + smaller.coefficient;
    sum.negative = larger.negative;
  } else if (larger.coefficient >= smaller.coefficient) {
    sum.coefficient = larger.coefficient - smaller.coefficient;
    sum.negative = larger.negative;
  } else {
    sum.coefficient = smaller.coefficient - larger.coefficient;
    sum.negative = smaller.negative;
  }
  if (sum.coefficient == 0) sum.negative = false;
  return sum.normalised();
}

Result<Number> subtract(const Number& a, const Number& b) { return add(a, b.negated()); }

}  // namespace dolmen
