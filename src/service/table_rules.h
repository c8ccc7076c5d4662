#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table.h"

namespace dolmen {

/// Checks a definition that has not passed the wire's parameter constraints, with the same messages. Fails with
/// kValidation.
Result<void> check_table_definition(const TableDefinition& definition);

/// Checks a global index that is to be added to a table. Fails with kValidation.
Result<void> check_global_index(const IndexDefinition& index);

/// True for the characters of table and index names: a-z, A-Z, 0-9, '_', '-' and '.'.
bool is_name_character(char c);

/// A name must have 3 to 255 name characters.
Result<void> check_table_name(const std::string& name);

/// The attribute of a time to live: a name of 1 to 255 characters.
Result<void> check_time_to_live_attribute(std::string_view name);

}  // namespace dolmen
