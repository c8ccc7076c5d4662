#pragma once

#include <string>
#include <string_view>

#include "document/rows.h"
#include "dolmen/schema.h"

/// The layout of the table of documents:
///
///   partition                      sort            attributes
///   schemas                        id/version      sha256, and text where there are no schema files
///   names                          folded id       id: so that ids differ in more than case
///   names/<id>                     folded version  version
///   head/<id>/<version>            -               revision: the number of changes of the indexes
///   index/<id>/<version>           field           state, reason, epoch, clears (the entries must go first)
///   id/<id>                        _id             version: so that an _id is unique
///   doc/<id>/<version>             _id             body, mark (new with every write)
///   entry/<id>/<version>/<field>   value, _id      id
///
/// Ids and versions contain no slash. Index entries are written together with their document, so a reader never
/// sees one without the other; and every write of a document checks the head, so that none misses an index.
namespace dolmen::document {

RowKey schema_row(const SchemaRef& ref);
RowKey id_name_row(const SchemaRef& ref);
RowKey version_name_row(const SchemaRef& ref);
RowKey head_row(const SchemaRef& ref);
RowKey index_row(const SchemaRef& ref, const std::string& field);
RowKey claim_row(const SchemaRef& ref, std::string_view id);
RowKey document_row(const SchemaRef& ref, std::string_view id);

inline constexpr const char* kSchemasPartition = "schemas";
std::string indexes_partition(const SchemaRef& ref);
std::string documents_partition(const SchemaRef& ref);
std::string entries_partition(const SchemaRef& ref, std::string_view field);

/// Sort before and after all rows of a partition.
inline constexpr std::string_view kFirst("\0", 1);
inline constexpr std::string_view kLast = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";

}  // namespace dolmen::document
