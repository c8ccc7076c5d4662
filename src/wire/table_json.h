#pragma once

#include <string>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "wire/parameters.h"

namespace dolmen::wire {

/// Reads the parameters of CreateTable, with the checks that come after the constraints.
Result<TableDefinition> read_table_definition(const Parameters& parameters);

/// Checks the settings of CreateTable of which only the default is supported: refuses every other value.
Result<void> check_table_settings(const Parameters& parameters);

/// Appends a table as DynamoDB describes it.
void append_table_description(std::string& out, const TableDescription& table);

}  // namespace dolmen::wire
