#include "document/request.h"

#include <algorithm>
#include <charconv>

#include "base/fail.h"
#include "base/unicode.h"
#include "config/read.h"
#include "document/limits.h"
#include "schema/json_scanner.h"
#include "schema/limits.h"

namespace dolmen::document {
namespace {

using schema::JsonScanner;

constexpr unsigned kDepth = limits::kDocumentNesting + 4;

std::optional<std::string> string_of(std::string_view json) {
  JsonScanner scanner(json);
  if (scanner.peek() != JsonScanner::Kind::kString) return std::nullopt;
  return decoded(scanner.string());
}

std::unexpected<Error> malformed(std::string_view why) {
  return fail(Code::kSerialization, "the request is not a JSON object: {}", why);
}

}  // namespace

Result<RequestView> RequestView::read(std::string_view text, std::initializer_list<std::string_view> allowed) {
  RequestView request;
  if (!is_utf8(text)) return malformed("it is not UTF-8");
  JsonScanner scanner(text);
  if (scanner.peek() != JsonScanner::Kind::kObject) return malformed("it does not begin with {");
  scanner.expect('{', "");
  if (!scanner.accept('}')) {
    do {
      if (scanner.peek() != JsonScanner::Kind::kString) return malformed("a name in double quotes is missing");
      const JsonScanner::Text name = scanner.string();
      scanner.expect(':', "a colon must follow the name");
      scanner.peek();
      const std::size_t start = scanner.position();
      scanner.skip(kDepth);
      if (scanner.failed()) return malformed(scanner.problem());
      std::string plain = decoded(name);
      if (std::ranges::find(allowed, plain) == allowed.end())
        return fail(Code::kQueryInvalid, "the operation has no parameter {}", plain);
      if (!request.members_.emplace(plain, text.substr(start, scanner.position() - start)).second)
        return malformed("a name occurs twice");
    } while (scanner.accept(','));
    scanner.expect('}', "a comma or } must come here");
  }
  scanner.end();
  if (scanner.failed()) return malformed(scanner.problem());
  return request;
}

std::optional<std::string_view> RequestView::find(std::string_view name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) return std::nullopt;
  return found->second;
}

Result<SchemaRef> RequestView::ref() const {
  SchemaRef ref;
  for (const auto& [name, place] : {std::pair("schema_id", &ref.id), std::pair("schema_version", &ref.version)}) {
    const std::optional<std::string_view> json = find(name);
    const std::optional<std::string> text = json ? string_of(*json) : std::nullopt;
    if (!json || (text && text->empty()))
      return fail(Code::kSchemaRequired, "{} is missing; every operation names schema_id and schema_version", name);
    if (!text) return fail(Code::kSchemaRequired, "{} must be a string", name);
    *place = *text;
  }
  return ref;
}

Result<std::string_view> RequestView::json(std::string_view name) const {
  const std::optional<std::string_view> json = find(name);
  if (!json) return fail(Code::kQueryInvalid, "{} is missing", name);
  return *json;
}

Result<std::string> RequestView::text(std::string_view name) const {
  DOLMEN_TRY(const std::string_view json, this->json(name));
  std::optional<std::string> text = string_of(json);
  if (!text) return fail(Code::kQueryInvalid, "{} must be a string", name);
  return *std::move(text);
}

Result<std::optional<std::string>> RequestView::optional_text(std::string_view name) const {
  if (!find(name)) return std::nullopt;
  DOLMEN_TRY(std::string text, this->text(name));
  return text;
}

Result<std::optional<DocumentSort>> RequestView::sort() const {
  const std::optional<std::string_view> json = find("sort");
  if (!json) return std::nullopt;
  const config::Reading reading = config::read_json(*json, {.depth = 4});
  const config::Node* list = reading.root ? &*reading.root : nullptr;
  if (list == nullptr || list->kind != config::Node::Kind::kList)
    return fail(Code::kQueryInvalid, R"(sort must be a list such as [{{"field": "age", "order": "asc"}}])");
  if (list->elements.empty()) return std::nullopt;
  const config::Node& first = list->elements.front();
  const config::Node* field = first.find("field");
  const config::Node* order = first.find("order");
  const bool ordered = order == nullptr || order->text == "asc" || order->text == "desc";
  if (list->elements.size() > 1 || field == nullptr || field->kind != config::Node::Kind::kString || !ordered ||
      first.entries.size() != (order == nullptr ? 1U : 2U))
    return fail(Code::kQueryInvalid,
                R"(sort must have one element, with "field" and "order", which is "asc" or "desc")");
  return DocumentSort{.field = field->text, .descending = order != nullptr && order->text == "desc"};
}

Result<DocumentQuery> RequestView::query() const {
  DocumentQuery query;
  DOLMEN_TRY(query.filter, json("filter"));
  DOLMEN_TRY(query.sort, sort());
  DOLMEN_TRY(const std::string_view limit, json("limit"));
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), query.limit);
  if (error != std::errc{} || end != limit.data() + limit.size())
    return fail(Code::kQueryInvalid, "limit must be a whole number from 1 to {}", limits::kQueryDocuments);
  DOLMEN_TRY(const std::optional<std::string> cursor, optional_text("cursor"));
  query.cursor = cursor.value_or("");
  return query;
}

}  // namespace dolmen::document
