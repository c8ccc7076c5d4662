#pragma once

#include <string>
#include <string_view>

namespace dolmen {

/// SHA-256 as 64 hexadecimal digits in lower case.
std::string hex_sha256(std::string_view bytes);

}  // namespace dolmen
