#pragma once

#include <string_view>

#include "dolmen/error.h"

namespace dolmen::relation {

/// Types that begin so are Dolmen's own.
inline constexpr std::string_view kReservedTypePrefix = "Dolmen.";

/// True for names that records use for themselves: PK, SK, urn, and all that begin with "_" or "GSI".
bool is_reserved_attribute(std::string_view name);

/// Fails with kInvalidResource for the names above and for an empty one.
Result<void> check_attribute_of_user(std::string_view name);

}  // namespace dolmen::relation
