#pragma once

#include <optional>
#include <string_view>

namespace dolmen {

/// The double nearest to a decimal number: digits with an optional point, an optional exponent and an optional sign
/// before them ("12", "-.5", "+1.e3"), in every locale. Numbers that are too large become infinite and those that are
/// too small become zero, with their sign. Nothing for every other text, including one with space around it.
std::optional<double> parse_decimal(std::string_view text);

}  // namespace dolmen
