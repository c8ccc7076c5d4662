#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// A DynamoDB number: an exact decimal of up to 38 significant digits with a magnitude from 1E-130 to
/// 9.9999999999999999999999999999999999999E+125, or zero. Always normalised, so equal numbers are identical.
class Number {
 public:
  /// Zero.
  constexpr Number() = default;

  template <std::integral T>
    requires(!std::same_as<T, bool> && sizeof(T) <= 8)
  Number(T value)  // NOLINT(google-explicit-constructor): integers are numbers
      : Number(value < 0, value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)) {}

  /// Reads a decimal with optional sign, fraction and exponent. Fails with kValidation and DynamoDB's words when the
  /// text is not a number, is out of range, or has more than 38 significant digits.
  static Result<Number> parse(std::string_view text);

  /// The shortest decimal that a double prints as. Fails for infinities, NaN, and values out of range.
  static Result<Number> from_double(double value);

  /// DynamoDB's canonical text: plain digits, never an exponent, no leading or trailing zeros, no "-0".
  [[nodiscard]] std::string to_string() const;
  void append_to(std::string& out) const;

  /// The value when it is an integer that fits.
  [[nodiscard]] std::optional<std::int64_t> to_int64() const;
  [[nodiscard]] std::optional<std::uint64_t> to_uint64() const;
  /// The nearest double.
  [[nodiscard]] double to_double() const;

  [[nodiscard]] bool is_zero() const noexcept { return high_ == 0 && low_ == 0; }
  [[nodiscard]] bool is_negative() const noexcept { return negative_; }
  [[nodiscard]] Number negated() const noexcept;
  friend Number operator-(const Number& number) noexcept { return number.negated(); }

  /// Exact sum or difference. Fails with kValidation when the result is out of range; one that needs more than 38
  /// digits is an overflow.
  friend Result<Number> add(const Number& a, const Number& b);
  friend Result<Number> subtract(const Number& a, const Number& b);

  friend bool operator==(const Number&, const Number&) = default;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b) noexcept;

 private:
  friend struct NumberParts;
  Number(bool negative, std::uint64_t magnitude);

  // The value is ±(high_ * 2^64 + low_) * 10^exponent_, where the coefficient has no trailing zero digit.
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
  std::int16_t exponent_ = 0;
  bool negative_ = false;
};

Result<Number> add(const Number& a, const Number& b);
Result<Number> subtract(const Number& a, const Number& b);

namespace detail {

/// Whether a literal is a decimal that every number can hold: up to 38 digits, and an exponent of up to two.
consteval bool is_decimal(std::string_view literal) {
  constexpr std::size_t kDigitsMax = 38;
  constexpr std::size_t kExponentDigitsMax = 2;
  const std::size_t exponent_at = std::min(literal.find_first_of("eE"), literal.size());
  std::size_t digits = 0;
  for (const char c : literal.substr(0, exponent_at)) {
    if (c != '.' && (c < '0' || c > '9')) return false;
    if (c != '.') ++digits;
  }
  std::string_view exponent = literal.substr(exponent_at);
  if (!exponent.empty()) exponent.remove_prefix(1);
  if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
  return digits <= kDigitsMax && exponent.size() <= kExponentDigitsMax;
}

}  // namespace detail

inline namespace literals {

/// A decimal as it is written, to the last digit: `9.99_n`, `-0.1_n`, `1e-9_n`.
template <char... Characters>
Number operator""_n() {
  static constexpr char kText[] = {Characters..., '\0'};
  static_assert(detail::is_decimal(kText),
                "write plain decimal digits, at most 38 and an exponent of at most two digits, or use Number::parse");
  return *Number::parse(kText);
}

}  // namespace literals

}  // namespace dolmen
