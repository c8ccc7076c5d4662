#pragma once

#include <string_view>

#include "dolmen/model/model.h"

/// The words of DMS files.
namespace dolmen {

/// Empty for kNone.
std::string_view format_name(AttributeFormat format);
std::string_view projection_name(ProjectionType projection);
std::string_view index_type_name(IndexType type);
std::string_view write_mode_name(WriteMode mode);

}  // namespace dolmen
