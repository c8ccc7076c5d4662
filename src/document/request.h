#pragma once

#include <string>

#include "dolmen/documents.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

/// What requests of the document protocol have in common.
namespace dolmen::document {

/// `schema_id` and `schema_version`. Fails with kSchemaRequired unless both are strings that are not empty.
Result<SchemaRef> ref_in(const ObjectView& request);
/// Writes what `ref_in` reads.
void write_ref(ObjectWriter& object, const SchemaRef& ref);

/// A request about a schema; `write(object)` writes what it says beside.
template <class Write>
std::string request_for(const SchemaRef& ref, Write write) {
  return object_text([&](ObjectWriter& object) {
    write_ref(object, ref);
    write(object);
  });
}
inline std::string request_for(const SchemaRef& ref) {
  return request_for(ref, [](ObjectWriter&) {});
}

/// filter, sort, limit and cursor. Fails with kQueryInvalid.
Result<DocumentQuery> query_in(const ObjectView& request);
/// Writes the sort of a query.
void write_sort(ObjectWriter& object, const DocumentSort& sort);

}  // namespace dolmen::document
