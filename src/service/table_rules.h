#pragma once

#include "dolmen/error.h"
#include "dolmen/table.h"

namespace dolmen {

/// Checks a definition that did not come through the wire's parameter constraints, with the same texts. Fails with
/// kValidation.
Result<void> check_table_definition(const TableDefinition& definition);

/// True for what names of tables and indexes consist of: a-z, A-Z, 0-9, '_', '-' and '.'.
bool is_name_character(char c);

/// 3 to 255 name characters.
Result<void> check_table_name(const std::string& name);

}  // namespace dolmen
