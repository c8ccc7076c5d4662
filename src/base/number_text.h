#pragma once

#include <optional>
#include <string_view>

namespace dolmen {

/// The double nearest to a decimal number: digits with an optional point, an optional exponent and an optional sign
/// before them ("12", "-.5", "+1.e3"), whatever the process's locale. What is too large is infinite and what is too
/// small is zero, each with its sign. Nothing for every other text, also for one with space around it.
std::optional<double> parse_decimal(std::string_view text);

}  // namespace dolmen
