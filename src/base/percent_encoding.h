#pragma once

#include <string>
#include <string_view>

namespace dolmen {

/// The text with every byte as %XX that is neither a letter, a digit, nor one of "-_.~".
std::string percent_encoded(std::string_view text);

}  // namespace dolmen
