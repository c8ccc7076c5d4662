#pragma once

#include <string>
#include <string_view>

namespace dolmen {

/// The text with every byte written as %XX that is not a letter, a digit or one of "-_.~".
std::string percent_encoded(std::string_view text);

}  // namespace dolmen
