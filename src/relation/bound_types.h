#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/relation/resource_types.h"
#include "dolmen/store.h"

/// Resource types that are kept in the table itself, so that every program uses the same: the text of a types file in a
/// Resource of a reserved type.
namespace dolmen::relation {

/// Nothing when there are none.
Result<std::optional<std::string>> bound_text(Store& store, const std::string& table);

/// Replaces those that there are. The table must exist.
Result<void> bind_text(Store& store, const std::string& table, std::string_view text, const std::string& time);

/// Fails with kInvalidArgument also when the text names files.
Result<ResourceTypes> parse_bound(std::string_view text, std::string_view file_name);

}  // namespace dolmen::relation
