#include "document/request.h"

#include <charconv>

#include "base/fail.h"
#include "document/limits.h"
#include "schema/limits.h"

namespace dolmen::document {
namespace {

/// A document, inside a list, inside a response, and one level to spare.
static_assert(kObjectNesting >= limits::kDocumentNesting + 3, "every valid document fits into a request");

Result<std::optional<DocumentSort>> sort_in(const ObjectView& request) {
  const std::optional<std::string_view> json = request.find("sort");
  if (!json) return std::nullopt;
  const auto elements = json_elements(*json);
  if (!elements)
    return fail(Code::kQueryInvalid, R"(sort must be a list such as [{{"field": "age", "order": "asc"}}])");
  if (elements->empty()) return std::nullopt;
  const Result<ObjectView> first = ObjectView::part(elements->front(), {"field", "order"});
  const std::optional<std::string> field = first ? json_text(first->find("field").value_or("")) : std::nullopt;
  const std::string order = first ? json_text(first->find("order").value_or("\"asc\"")).value_or("") : "";
  if (elements->size() > 1 || !field || (order != "asc" && order != "desc"))
    return fail(Code::kQueryInvalid,
                R"(sort must have one element, with "field" and "order", which is "asc" or "desc")");
  return DocumentSort{.field = *field, .descending = order == "desc"};
}

}  // namespace

Result<SchemaRef> ref_in(const ObjectView& request) {
  SchemaRef ref;
  for (const auto& [name, place] : {std::pair("schema_id", &ref.id), std::pair("schema_version", &ref.version)}) {
    const std::optional<std::string_view> json = request.find(name);
    const std::optional<std::string> text = json ? json_text(*json) : std::nullopt;
    if (!json || (text && text->empty()))
      return fail(Code::kSchemaRequired, "{} is missing; every operation names schema_id and schema_version", name);
    if (!text) return fail(Code::kSchemaRequired, "{} must be a string that names exactly one", name);
    *place = *text;
  }
  return ref;
}

void write_ref(ObjectWriter& object, const SchemaRef& ref) {
  object.text("schema_id", ref.id).text("schema_version", ref.version);
}

Result<DocumentQuery> query_in(const ObjectView& request) {
  DocumentQuery query;
  DOLMEN_TRY(query.filter, request.json("filter"));
  DOLMEN_TRY(query.sort, sort_in(request));
  DOLMEN_TRY(const std::string_view limit, request.json("limit"));
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), query.limit);
  if (error != std::errc{} || end != limit.data() + limit.size())
    return fail(Code::kQueryInvalid, "limit must be a whole number from 1 to {}", limits::kQueryDocuments);
  DOLMEN_TRY(const std::optional<std::string> cursor, request.optional_text("cursor"));
  query.cursor = cursor.value_or("");
  return query;
}

void write_sort(ObjectWriter& object, const DocumentSort& sort) {
  object.objects("sort", std::initializer_list<DocumentSort>{sort}, [](ObjectWriter& element, const DocumentSort& by) {
    element.text("field", by.field).text("order", by.descending ? "desc" : "asc");
  });
}

}  // namespace dolmen::document
