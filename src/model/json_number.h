#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// How RFC 8785 (that is, ECMAScript) writes a finite double: 1e+21, 0.000001, 1e-7, 2500, 0 for -0.
std::string double_text(double value);

/// The canonical form of a JSON number: an integer keeps its digits, anything else becomes what RFC 8785 writes for the
/// nearest double. Fails with kInvalidModel when `text` is not a JSON number or its double is infinite.
Result<std::string> canonical_number(std::string_view text);

}  // namespace dolmen
