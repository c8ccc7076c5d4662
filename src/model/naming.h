#pragma once

#include <string>
#include <string_view>

#include "dolmen/model/model.h"

namespace dolmen {

/// camelCase: a small letter, then letters and digits, or exactly PK or SK. snake_case: words of small letters and
/// digits with single underscores between them, the first of which begins with a letter.
bool follows_convention(std::string_view name, NamingConvention convention);

/// The name turned into the convention; empty when nothing sensible comes of it.
std::string suggested_name(std::string_view name, NamingConvention convention);

std::string_view convention_name(NamingConvention convention);

}  // namespace dolmen
