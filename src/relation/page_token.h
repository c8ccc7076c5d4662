#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::relation {

/// Text that names a position in a list. `list` describes the list with all that decides what is in it and in which
/// order; a token is good for that list alone.
std::string make_token(std::string_view list, std::string_view position);

/// The position. Fails with kInvalidPageToken when the token is damaged or was made for another list.
Result<std::string> read_token(std::string_view list, std::string_view token);

}  // namespace dolmen::relation
