#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/explanation.h"

namespace dolmen {

/// Asks for an explanation, and carries it.
inline constexpr std::string_view kExplainHeader = "x-dolmen-explain";

/// As a JSON object.
std::string explanation_json(const Explanation& explanation);

/// The same in ASCII on one line of a few thousand bytes, for a header: of many tables only the first are there, and
/// "left_out" is true then.
std::string explanation_header(const Explanation& explanation);

/// Fails with kUnexpectedResponse.
Result<Explanation> read_explanation(std::string_view json);

}  // namespace dolmen
