#pragma once

#include <cstddef>

#include "vector/row_store.h"
#include "vector/search.h"
#include "vector/top_hits.h"

namespace dolmen::vector {

/// Compares every live row that the filter accepts with the query, and offers it. Returns how many were compared.
std::size_t scan(const RowStore& store, const PreparedQuery& query, const Filter& filter, TopHits& hits);

}  // namespace dolmen::vector
