#pragma once

#include <string>
#include <vector>

#include "dolmen/table.h"
#include "protocol/object_writer.h"

/// The parts of a table that have the same form in CreateTable's request and in a description.
namespace dolmen {

/// KeySchema: the partition attributes, then the sort attributes.
void append_key_schema(std::string& out, const std::vector<KeyAttribute>& partition,
                       const std::vector<KeyAttribute>& sort);

/// AttributeDefinitions: every key attribute of the table and its indexes once, sorted by name.
void append_attribute_definitions(std::string& out, const TableDefinition& table);
/// The same for an index that is added to a table.
void append_attribute_definitions(std::string& out, const IndexDefinition& index);
void append_attribute_definitions(std::string& out, const VectorIndexDefinition& index);

/// Projection.
void append_projection(std::string& out, const IndexDefinition& index);

/// The members of a VectorIndex.
void append_vector_index(ObjectWriter& object, const VectorIndexDefinition& index);

}  // namespace dolmen
