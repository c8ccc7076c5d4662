#pragma once

#include <string>
#include <string_view>

#include "base/unicode.h"
#include "dolmen/documents.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

/// What requests of the document protocol have in common.
namespace dolmen::document {

/// `schema_id` and `schema_version`; what is missing is empty, and refused by whoever looks for the schema. Fails with
/// kSchemaRequired when they cannot name one.
Result<SchemaRef> ref_in(const ObjectView& request);
/// A version of a schema: a string, or an integer. Empty when it is missing. Fails with kSchemaRequired.
Result<std::string> version_in(const ObjectView& request, std::string_view name);
/// A text as a request can have it: one that is not UTF-8 becomes another one, which is as wrong.
inline constexpr std::string_view kNoText = "\uFFFD";
inline std::string_view sendable(std::string_view text) { return is_utf8(text) ? text : kNoText; }

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
/// limit, which may be missing, and cursor. Fails with kQueryInvalid.
Result<ListDocumentsOptions> listing_in(const ObjectView& request);
/// Writes the sort of a query.
void write_sort(ObjectWriter& object, const DocumentSort& sort);

}  // namespace dolmen::document
