#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/entity/config.h"

/// Numbers as JavaScript writes and reads them. Keys are made of these texts, so every digit counts.
namespace dolmen::entity {

/// The shortest digits that read back as the same number, in the form that `String(value)` has: 1e+21, 1e-7, NaN.
void append_number(std::string& out, double value);
/// Writes the same to a place with room for 32 bytes. Returns its end.
char* write_number(char* out, double value);

/// `value.toFixed(6)` of a magnitude below 10^10: exact, and halves away from zero.
std::string fixed6(double magnitude);

/// `Number(text)`: ignores white space around the text, reads an empty text as 0, and accepts 0x, 0o and 0b. Nothing
/// for NaN.
std::optional<double> parse_number(std::string_view text);

/// `BigInt(text)`. Nothing where that throws.
std::optional<BigInteger> parse_big_integer(std::string_view text);

std::strong_ordering compare(const BigInteger& a, const BigInteger& b);

/// Whether the text consists of `count` or more ASCII digits.
bool is_digits(std::string_view text) noexcept;

}  // namespace dolmen::entity
