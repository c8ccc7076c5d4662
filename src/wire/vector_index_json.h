#pragma once

#include <optional>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/table_update.h"
#include "wire/index_json.h"
#include "wire/parameters.h"

/// Vector indexes in the requests that create, change and restore tables.
namespace dolmen::wire {

/// VectorIndexes of CreateTable must not be an empty list. DynamoDB looks at that before it looks at other indexes.
Result<void> check_vector_list(const Parameters& parameters);

/// VectorIndexes of CreateTable. The table has its other indexes already.
Result<void> read_vector_indexes(const Parameters& parameters, const Definitions& definitions, TableDefinition& table);

/// VectorIndexUpdates of UpdateTable.
Result<void> read_vector_index_changes(const Parameters& parameters, TableUpdate& update);

/// VectorIndexOverride of the operations that restore tables, which say nothing about types.
Result<std::optional<std::vector<VectorIndexDefinition>>> read_vector_overrides(const Parameters& parameters);

}  // namespace dolmen::wire
