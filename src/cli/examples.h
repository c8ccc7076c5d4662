#pragma once

#include <map>
#include <string>
#include <vector>

namespace dolmen::cli {

/// Calls to learn from, by verb, such as "lease run". Every verb has some, and all of them are calls that the program
/// understands; `dolmen reference --check` says so.
const std::map<std::string, std::vector<std::string>>& verb_examples();

}  // namespace dolmen::cli
