#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Arithmetic on plain decimal text ("-12.5"), digit by digit as it is done on paper. Slow, and obvious.
namespace dolmen::reference {

/// The plain text of a number that is written with any sign, zeros and exponent; nothing when it is no number or one
/// that DynamoDB cannot store. Zero is "0" whatever its exponent.
std::optional<std::string> read_decimal(std::string_view text);

/// What a number in plain text counts for in the size of an item.
std::size_t decimal_size(std::string_view text);

/// Negative, zero or positive, as `a` is smaller than, equal to or greater than `b`.
int compare_decimals(std::string_view a, std::string_view b);

/// The exact sum; nothing when DynamoDB cannot store it: more than 38 digits, or a magnitude out of range.
std::optional<std::string> add_decimals(std::string_view a, std::string_view b);

std::string negated_decimal(std::string_view a);

}  // namespace dolmen::reference
