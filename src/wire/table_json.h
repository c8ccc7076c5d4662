#pragma once

#include <string>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/table_update.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// Reads the parameters of CreateTable, with the checks that come after the constraints.
Result<TableDefinition> read_table_definition(const Parameters& parameters);

/// Reads the parameters of UpdateTable, with the checks that need no table. The table is given by its name.
Result<TableUpdate> read_table_update(const Parameters& parameters, std::string table);

/// Seconds since 1970 with milliseconds, as DynamoDB writes times.
std::string seconds_of(TableTime time);

/// Appends a table as DynamoDB describes it. One that is being deleted has only a part of the members.
void append_table_description(std::string& out, const TableDescription& table);

}  // namespace dolmen::wire
