#pragma once

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "remote/json_fields.h"

namespace dolmen::remote {

/// The members of a vector index, without the types of its search attributes.
Result<VectorIndexDefinition> read_vector_index(const Fields& fields);

}  // namespace dolmen::remote
