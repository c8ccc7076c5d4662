#pragma once

#include <string>
#include <string_view>

#include "config/node.h"

namespace dolmen::cli {

/// The JSON of a response, whose form is known; null for what is not JSON.
config::Node parse_response(const std::string& response);

/// The text of a string or number in a response; empty when it is missing.
std::string text_in(const config::Node& node, std::string_view name);

}  // namespace dolmen::cli
