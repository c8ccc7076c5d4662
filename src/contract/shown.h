#pragma once

#include <string>
#include <string_view>

#include "dolmen/value.h"

/// Values and names as messages show them: on one line, and short enough for a person to read.
namespace dolmen::contract {

/// In quotes, with escapes as in JSON; its length when it is long.
std::string shown_text(std::string_view text);

/// As it is when that is readable, else as shown_text.
std::string shown_name(std::string_view name);

/// A text as shown_text, a number, the length of bytes, the type of anything else; "nothing" when it is null.
std::string shown_value(const AttributeValue* value);

}  // namespace dolmen::contract
