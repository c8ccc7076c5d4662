#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/table_update.h"

/// The rules for vector indexes and searches that need no stored table, in DynamoDB's order and words. Failures are
/// kValidation, and kLimitExceeded where it says so.
namespace dolmen {

/// Why an index cannot be made for a table of this mode.
Result<void> check_vector_billing(BillingMode mode);

/// What one index is by itself: its dimensions, its search attributes, what it projects. The table's keys are known.
Result<void> check_vector_index(const VectorIndexDefinition& index, const TableDefinition& table);

/// What the vector indexes of a table are together: names, number, equal dimensions on equal attributes, and attributes
/// that are a key and a vector. `defined` are the attributes whose types the request defines.
Result<void> check_vector_indexes_together(const TableDefinition& table, std::span<const KeyAttribute> defined);

/// All of this for a definition that has not passed the wire.
Result<void> check_vector_indexes(const TableDefinition& table);

/// "One or more parameter values were invalid: Conflicting attribute definition for 'a'. All VectorIndexes ..."
Result<void> check_same_dimensions(const VectorIndexDefinition& index, const VectorIndexDefinition& other);

/// The changes of vector indexes in an UpdateTable, before the table is looked up. Fails with kLimitExceeded for more
/// than one.
Result<void> check_vector_changes(const TableUpdate& update);
/// The name of the index that a change is about.
std::string_view name_of(const VectorIndexChange& change);

// ---- Searching ----

Result<void> check_index_name(std::string_view name);
Result<void> check_top_k(std::int64_t top_k);
/// At least one element, all finite.
Result<void> check_search_vector(std::span<const float> vector);
/// "Search vector contains invalid values. ..."
std::unexpected<Error> bad_search_vector();

}  // namespace dolmen
