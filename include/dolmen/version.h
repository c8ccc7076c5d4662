#pragma once

#include <string_view>

namespace dolmen {

/// The version of the library and of the `dolmen` command, such as "0.1.0".
std::string_view version();

}  // namespace dolmen
