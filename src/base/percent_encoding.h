#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dolmen {

/// The text with every byte written as %XX that is not a letter, a digit or one of "-_.~".
std::string percent_encoded(std::string_view text);

/// The text with every %XX written as the byte that it stands for; nothing when a % has no two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace dolmen
