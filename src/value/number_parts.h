#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dolmen/number.h"

namespace dolmen {

__extension__ typedef unsigned __int128 uint128;  // NOLINT(modernize-use-using): __extension__ needs a typedef

/// A number as its digits: ±digits * 10^exponent. The first and the last digit are not zero. Zero has no digits.
struct Decimal {
  char digits[40];
  int count = 0;
  int exponent = 0;
  bool negative = false;
};

/// Enough bytes for the text of every number.
inline constexpr std::size_t kNumberTextBytes = 176;

/// Writes DynamoDB's canonical text of a number. Returns its end.
char* write_text(const Decimal& decimal, char* out) noexcept;

/// The size by DynamoDB's rules (number_size) of a number with so many significant digits, the first `before_point` of
/// which, if there are so many, stand before the decimal point.
inline std::size_t size_of_number(int digits, int before_point, bool negative) noexcept {
  if (digits == 0) return 1;
  // Digits are stored in pairs, separately on either side of the decimal point.
  const int before = std::clamp(before_point, 0, digits);
  const int after = digits - before;
  return 1 + static_cast<std::size_t>((before + 1) / 2 + (after + 1) / 2 + (negative ? 1 : 0));
}

/// The inside of a `Number` for code that computes with it or stores it: ±coefficient * 10^exponent, where the
/// coefficient has at most 38 digits, the last of which is not zero. Zero is all zeros.
struct NumberParts {
  uint128 coefficient = 0;
  int exponent = 0;
  bool negative = false;

  static NumberParts of(const Number& number) noexcept {
    return {uint128{number.high_} << 64 | number.low_, number.exponent_, number.negative_};
  }

  /// The parts must be normalised and in range, as after `normalised`.
  [[nodiscard]] Number to_number() const noexcept {
    Number number;
    number.high_ = static_cast<std::uint64_t>(coefficient >> 64);
    number.low_ = static_cast<std::uint64_t>(coefficient);
    number.exponent_ = static_cast<std::int16_t>(exponent);
    number.negative_ = negative;
    return number;
  }

  /// Strips trailing zeros and checks range and precision, in DynamoDB's order and words. The coefficient must be
  /// exact, and below 10^39.
  [[nodiscard]] Result<Number> normalised() const;

  [[nodiscard]] Decimal to_decimal() const noexcept;
};

/// 10^power for 0 <= power <= 38.
uint128 power_of_ten(int power) noexcept;

/// The number of decimal digits of `value`; 0 for 0.
int digit_count(uint128 value) noexcept;

}  // namespace dolmen
