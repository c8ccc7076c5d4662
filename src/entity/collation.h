#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::entity {

/// For each text a key, so that the keys' bytes sort like the texts do for people who read English: "a" before "B",
/// "é" among the e's. The order that JavaScript's localeCompare gives; equal keys are equal texts to it. Only the keys
/// of one call compare with each other.
std::vector<std::string> collation_keys(const std::vector<std::string_view>& texts);

}  // namespace dolmen::entity
