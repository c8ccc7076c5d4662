#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Arithmetic on plain decimal text ("-12.5"), digit by digit as on paper. Slow but simple.
namespace dolmen::reference {

/// The plain text of a number that is written with any sign, zeros and exponent; nothing when the text is not a number
/// or DynamoDB cannot store it. Zero is "0" with any exponent.
std::optional<std::string> read_decimal(std::string_view text);

/// The size of a number in plain text as a part of an item.
std::size_t decimal_size(std::string_view text);

/// Negative, zero or positive when `a` is smaller than, equal to or greater than `b`.
int compare_decimals(std::string_view a, std::string_view b);

/// The exact sum; nothing when DynamoDB cannot store it: more than 38 digits, or a magnitude out of range.
std::optional<std::string> add_decimals(std::string_view a, std::string_view b);

std::string negated_decimal(std::string_view a);

}  // namespace dolmen::reference
