#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/schema.h"

/// Names of schemas, which become names of files: what could name something else is refused rather than escaped.
namespace dolmen::schema {

/// Nothing when the name is safe, else why it is not.
std::optional<std::string> id_problem(std::string_view id);
/// The same. A version has no underscore, so that a file name splits at the last one.
std::optional<std::string> version_problem(std::string_view version);

/// A version that is written as an integer has at most so many digits.
inline constexpr std::size_t kVersionDigitsMax = 18;

/// "schema_<id>_<version>.json".
std::string file_name(const SchemaRef& ref);
/// The other direction; nothing when the file name is not that of a schema.
std::optional<SchemaRef> ref_of_file(std::string_view name);

/// A name without the difference between A and a, which some file systems do not know.
std::string folded(std::string_view name);

}  // namespace dolmen::schema
