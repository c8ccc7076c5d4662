#pragma once

#include <string_view>

namespace dolmen {

/// Whether the name is like the pattern, in which * stands for any characters, also none. Takes no longer than the
/// product of both lengths.
bool matches_wildcard(std::string_view pattern, std::string_view name);

}  // namespace dolmen
