#include "document/request.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "document/invalid.h"
#include "document/limits.h"
#include "schema/limits.h"
#include "schema/names.h"

namespace dolmen::document {
namespace {

/// A document, inside a list, inside a response, and one level to spare.
static_assert(kObjectNesting >= limits::kDocumentNesting + 3, "every valid document fits into a request");

Result<std::optional<DocumentSort>> sort_in(const ObjectView& request) {
  const std::optional<std::string_view> json = request.find("sort");
  if (!json) return std::nullopt;
  const auto elements = json_elements(*json);
  if (!elements) return invalid_part("sort", R"(it must be a list such as [{{"field": "age", "order": "asc"}}])");
  if (elements->empty()) return std::nullopt;
  const Result<ObjectView> first = ObjectView::part(elements->front(), {"field", "order"});
  const std::optional<std::string> field = first ? json_text(first->find("field").value_or("")) : std::nullopt;
  const std::string order = first ? json_text(first->find("order").value_or("\"asc\"")).value_or("") : "";
  if (elements->size() > 1 || !field || (order != "asc" && order != "desc"))
    return invalid_part("sort", R"(it must have one element, with "field" and "order", which is "asc" or "desc")");
  return DocumentSort{.field = *field, .descending = order == "desc"};
}

/// A version that is written as an integer is the same as the text of that integer.
bool is_integer(std::string_view json) {
  const bool digits = std::ranges::all_of(json, [](char c) { return c >= '0' && c <= '9'; });
  return digits && !json.empty() && json.size() <= schema::kVersionDigitsMax;
}

Result<std::uint32_t> limit_in(std::string_view json) {
  std::uint32_t limit = 0;
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), limit);
  if (error != std::errc{} || end != json.data() + json.size())
    return invalid_part("limit", "a number from 1 to {} is needed", limits::kQueryDocuments);
  return limit;
}

Result<std::string> cursor_in(const ObjectView& request) {
  std::optional<std::string> cursor = json_text(request.find("cursor").value_or(R"("")"));
  if (!cursor) return invalid_part("cursor", "it must be a string");
  return *std::move(cursor);
}

std::unexpected<Error> refused_name(std::string_view name, std::string_view why) {
  return std::unexpected(Error(Code::kSchemaRequired, fmt::format("{}: {}", name, why)));
}

}  // namespace

Result<std::string> version_in(const ObjectView& request, std::string_view name) {
  const std::string_view json = request.find(name).value_or(R"("")");
  if (is_integer(json)) return std::string(json);
  if (std::optional<std::string> text = json_text(json)) return *std::move(text);
  return refused_name(name, "it must be a string or an integer that names exactly one version");
}

Result<SchemaRef> ref_in(const ObjectView& request) {
  std::optional<std::string> id = json_text(request.find("schema_id").value_or(R"("")"));
  if (!id) return refused_name("schema_id", "it must be a string that names exactly one schema");
  DOLMEN_TRY(std::string version, version_in(request, "schema_version"));
  return SchemaRef{.id = *std::move(id), .version = std::move(version)};
}

void write_ref(ObjectWriter& object, const SchemaRef& ref) {
  object.text("schema_id", sendable(ref.id)).text("schema_version", sendable(ref.version));
}

Result<DocumentQuery> query_in(const ObjectView& request) {
  DocumentQuery query;
  const std::optional<std::string_view> filter = request.find("filter");
  if (!filter) return invalid_part("filter", "it is missing; a query needs a condition on an indexed field");
  query.filter = json_text(*filter).value_or(std::string(*filter));
  DOLMEN_TRY(query.sort, sort_in(request));
  DOLMEN_TRY(query.limit, limit_in(request.find("limit").value_or("0")));
  DOLMEN_TRY(query.cursor, cursor_in(request));
  return query;
}

Result<ListDocumentsOptions> listing_in(const ObjectView& request) {
  ListDocumentsOptions options;
  if (const std::optional<std::string_view> limit = request.find("limit")) {
    DOLMEN_TRY(options.limit, limit_in(*limit));
  }
  DOLMEN_TRY(options.cursor, cursor_in(request));
  return options;
}

void write_sort(ObjectWriter& object, const DocumentSort& sort) {
  object.objects("sort", std::initializer_list<DocumentSort>{sort}, [](ObjectWriter& element, const DocumentSort& by) {
    element.text("field", sendable(by.field)).text("order", by.descending ? "desc" : "asc");
  });
}

}  // namespace dolmen::document
