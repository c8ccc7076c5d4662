#pragma once

#include "dolmen/error.h"
#include "dolmen/table.h"

namespace dolmen {

/// Checks a definition that has not passed the wire's parameter constraints, with the same messages. Fails with
/// kValidation.
Result<void> check_table_definition(const TableDefinition& definition);

/// True for the characters of table and index names: a-z, A-Z, 0-9, '_', '-' and '.'.
bool is_name_character(char c);

/// A name must have 3 to 255 name characters.
Result<void> check_table_name(const std::string& name);

}  // namespace dolmen
