#pragma once

#include <string>
#include <vector>

#include "dolmen/table.h"

/// The parts of a table that have the same form in CreateTable's request and in a description.
namespace dolmen {

/// KeySchema: the partition attributes, then the sort attributes.
void append_key_schema(std::string& out, const std::vector<KeyAttribute>& partition,
                       const std::vector<KeyAttribute>& sort);

/// AttributeDefinitions: every key attribute of the table and its indexes once, sorted by name.
void append_attribute_definitions(std::string& out, const TableDefinition& table);
/// The same for an index that is added to a table.
void append_attribute_definitions(std::string& out, const IndexDefinition& index);

/// Projection.
void append_projection(std::string& out, const IndexDefinition& index);

}  // namespace dolmen
