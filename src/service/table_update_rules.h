#pragma once

#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table_update.h"

namespace dolmen {

/// Drops throughput settings without a number, unless nothing else is asked for, as DynamoDB does.
void drop_empty_settings(TableUpdate& update);

/// Fails when a throughput setting without a number is all that is asked for. DynamoDB looks for the table first.
Result<void> check_no_empty_setting(const TableUpdate& update);

/// The rules for a change of a table that can be checked without the table, in DynamoDB's order. Fails with
/// kValidation, or with kLimitExceeded when several indexes are created or deleted.
Result<void> check_table_update(const TableUpdate& update);

/// The name of the index that a change is about.
std::string_view name_of(const IndexChange& change);

/// Creates or deletes an index.
bool changes_index_list(const IndexChange& change);

/// "Only 1 online index ..."
std::unexpected<Error> one_online_index();

}  // namespace dolmen
