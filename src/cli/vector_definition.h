#pragma once

#include <string>

#include "dolmen/error.h"
#include "dolmen/table.h"

namespace dolmen::cli {

/// "NAME:ATTRIBUTE:DIMENSIONS[:cosine|:euclidean|:dot][,hash=ATTRIBUTE[:TYPE]][,filter=ATTRIBUTE[:TYPE]]…", as in
/// "by_meaning:embedding:384,hash=tenant,filter=year:N". Fails with kInvalidArgument.
Result<VectorIndexDefinition> parse_vector_index(const std::string& text);

}  // namespace dolmen::cli
