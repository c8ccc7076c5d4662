#pragma once

#include <string_view>

namespace dolmen::wire {

/// Whether the pattern is one of the service model, which `matches_pattern` implements. A test asks for all of them.
bool is_known_pattern(std::string_view pattern);

/// Whether the whole text matches a pattern of the service model, in time that grows with the text alone.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace dolmen::wire
