#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// True when `text` is well-formed UTF-8: shortest forms only, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Converts well-formed UTF-8. Fails with kSerialization and the offset of the first bad byte.
Result<std::u16string> utf16_from_utf8(std::string_view text);

/// Converts well-formed UTF-16. Fails with kSerialization and the offset of the first lone surrogate.
Result<std::string> utf8_from_utf16(std::u16string_view text);

/// The length of well-formed UTF-8 in UTF-16 code units, as Java and JavaScript count it.
std::size_t utf16_length(std::string_view text) noexcept;

/// Appends one code point, which must be a Unicode scalar value.
void append_utf8(std::string& out, char32_t code_point);

}  // namespace dolmen
