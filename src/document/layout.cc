#include "document/layout.h"

#include <fmt/format.h>

#include "schema/names.h"

namespace dolmen::document {
namespace {

std::string scoped(std::string_view kind, const SchemaRef& ref) {
  return fmt::format("{}/{}/{}", kind, ref.id, ref.version);
}

}  // namespace

RowKey schema_row(const SchemaRef& ref) { return {kSchemasPartition, ref.id + "/" + ref.version}; }
RowKey id_name_row(const SchemaRef& ref) { return {"names", schema::folded(ref.id)}; }
RowKey version_name_row(const SchemaRef& ref) { return {"names/" + ref.id, schema::folded(ref.version)}; }
RowKey head_row(const SchemaRef& ref) { return {scoped("head", ref), "-"}; }
RowKey index_row(const SchemaRef& ref, const std::string& field) { return {indexes_partition(ref), field}; }
RowKey claim_row(const SchemaRef& ref, std::string_view id) { return {"id/" + ref.id, std::string(id)}; }
RowKey document_row(const SchemaRef& ref, std::string_view id) { return {documents_partition(ref), std::string(id)}; }

std::string indexes_partition(const SchemaRef& ref) { return scoped("index", ref); }
std::string documents_partition(const SchemaRef& ref) { return scoped("doc", ref); }
std::string entries_partition(const SchemaRef& ref, std::string_view field) {
  return scoped("entry", ref).append("/").append(field);
}

}  // namespace dolmen::document
