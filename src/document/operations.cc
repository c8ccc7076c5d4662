#include "document/operations.h"

#include <algorithm>

#include "base/fail.h"
#include "document/request.h"
#include "value/json.h"

namespace dolmen::document {
namespace {

void append_member(std::string& out, std::string_view name, std::string_view text) {
  if (out.back() != '{') out.push_back(',');
  json::append_string(out, name);
  out.push_back(':');
  json::append_string(out, text);
}

void append_ref(std::string& out, const SchemaRef& ref) {
  append_member(out, "schema_id", ref.id);
  append_member(out, "schema_version", ref.version);
}

std::string ref_object(const SchemaRef& ref) {
  std::string out = "{";
  append_ref(out, ref);
  return out.append("}");
}

/// A part of a request other than the schema. Mistakes in the schema are reported before mistakes in the other parts.
template <class T>
Result<T> after_schema(const Documents& documents, const SchemaRef& ref, Result<T> parameter) {
  if (parameter) return parameter;
  if (const auto known = documents.schema(ref); !known) return std::unexpected(known.error());
  return parameter;
}

Result<std::string> publish_schema(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema", "text"}));
  // A text is kept byte for byte, and an object as it is written in the request.
  DOLMEN_TRY(const std::optional<std::string> text, request.optional_text("text"));
  if (text) {
    DOLMEN_TRY(const SchemaRef ref, documents.publish(*text));
    return ref_object(ref);
  }
  DOLMEN_TRY(const std::string_view schema, request.json("schema"));
  DOLMEN_TRY(const SchemaRef ref, documents.publish(schema));
  return ref_object(ref);
}

Result<std::string> list_schemas(Documents& documents, std::string_view body) {
  DOLMEN_TRY_VOID(RequestView::read(body, {}));
  DOLMEN_TRY(const std::vector<PublishedInfo> all, documents.schemas());
  std::string out = R"({"schemas":[)";
  for (const PublishedInfo& info : all) {
    if (out.back() != '[') out.push_back(',');
    out.push_back('{');
    append_ref(out, info.ref);
    append_member(out, "sha256", info.sha256);
    out.push_back('}');
  }
  return out.append("]}");
}

void append_indexes(std::string& out, const std::vector<DocumentIndex>& indexes) {
  out.append(R"("indexes":[)");
  for (const DocumentIndex& index : indexes) {
    if (out.back() != '[') out.push_back(',');
    out.push_back('{');
    append_member(out, "field", index.field);
    append_member(out, "state", index_state_name(index.state));
    if (!index.reason.empty()) append_member(out, "reason", index.reason);
    out.push_back('}');
  }
  out.push_back(']');
}

Result<std::string> describe_schema(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema_id", "schema_version"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const PublishedInfo info, documents.schema(ref));
  DOLMEN_TRY(const std::vector<DocumentIndex> indexes, documents.indexes(ref));
  std::string out = "{";
  append_ref(out, ref);
  append_member(out, "sha256", info.sha256);
  append_member(out, "text", info.text);
  out.push_back(',');
  append_indexes(out, indexes);
  return out.append("}");
}

/// The document as JSON, or as a string that holds it.
Result<std::string> document_in(const RequestView& request) {
  DOLMEN_TRY(std::optional<std::string> text, request.optional_text("text"));
  if (text) return *std::move(text);
  DOLMEN_TRY(const std::string_view document, request.json("document"));
  return std::string(document);
}

Result<std::string> validate(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema_id", "schema_version", "document", "text"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const std::string document, after_schema(documents, ref, document_in(request)));
  DOLMEN_TRY_VOID(documents.validate(ref, document));
  return "{}";
}

Result<std::string> insert(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema_id", "schema_version", "document", "text"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const std::string document, after_schema(documents, ref, document_in(request)));
  DOLMEN_TRY_VOID(documents.insert(ref, document));
  return "{}";
}

Result<std::string> update(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request,
             RequestView::read(body, {"schema_id", "schema_version", "document", "text", "_id"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const std::string document, after_schema(documents, ref, document_in(request)));
  DOLMEN_TRY(const std::optional<std::string> id, after_schema(documents, ref, request.optional_text("_id")));
  DOLMEN_TRY_VOID(documents.update(ref, document, id ? std::optional<std::string_view>(*id) : std::nullopt));
  return "{}";
}

Result<std::string> get(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema_id", "schema_version", "_id"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const std::string id, after_schema(documents, ref, request.text("_id")));
  DOLMEN_TRY(const std::string document, documents.get(ref, id));
  return R"({"document":)" + document + "}";
}

Result<std::string> remove(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema_id", "schema_version", "_id"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const std::string id, after_schema(documents, ref, request.text("_id")));
  DOLMEN_TRY(const bool removed, documents.remove(ref, id));
  return removed ? R"({"deleted":true})" : R"({"deleted":false})";
}

Result<std::string> query(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request,
             RequestView::read(body, {"schema_id", "schema_version", "filter", "sort", "limit", "cursor"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const DocumentQuery question, after_schema(documents, ref, request.query()));
  DOLMEN_TRY(const DocumentPage page, documents.query(ref, question));
  std::string out = R"({"documents":[)";
  for (const std::string& document : page.documents) {
    if (out.back() != '[') out.push_back(',');
    out.append(document);
  }
  out.push_back(']');
  if (!page.cursor.empty()) append_member(out, "cursor", page.cursor);
  return out.append("}");
}

Result<std::string> explain(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request,
             RequestView::read(body, {"schema_id", "schema_version", "filter", "sort", "limit", "cursor"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const DocumentQuery question, after_schema(documents, ref, request.query()));
  return documents.explain(ref, question);
}

Result<std::string> create_index(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema_id", "schema_version", "field"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const std::string field, after_schema(documents, ref, request.text("field")));
  DOLMEN_TRY_VOID(documents.create_index(ref, field));
  return "{}";
}

Result<std::string> list_indexes(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const RequestView request, RequestView::read(body, {"schema_id", "schema_version"}));
  DOLMEN_TRY(const SchemaRef ref, request.ref());
  DOLMEN_TRY(const std::vector<DocumentIndex> indexes, documents.indexes(ref));
  std::string out = "{";
  append_indexes(out, indexes);
  return out.append("}");
}

struct Operation {
  std::string_view name;
  Result<std::string> (*run)(Documents& documents, std::string_view body);
};

constexpr Operation kOperations[] = {
    {"CreateIndex", create_index}, {"DeleteDocument", remove},    {"DescribeSchema", describe_schema},
    {"ExplainQuery", explain},     {"GetDocument", get},          {"InsertDocument", insert},
    {"ListIndexes", list_indexes}, {"ListSchemas", list_schemas}, {"PublishSchema", publish_schema},
    {"QueryDocuments", query},     {"UpdateDocument", update},    {"ValidateDocument", validate},
};

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return found == std::end(kOperations) ? nullptr : found;
}

}  // namespace

bool is_operation(std::string_view operation) { return find_operation(operation) != nullptr; }

Result<std::string> execute(Documents& documents, std::string_view operation, std::string_view body) {
  const Operation* found = find_operation(operation);
  if (found == nullptr) return fail(Code::kUnknownOperation, "{}{} is not an operation", kTargetPrefix, operation);
  return found->run(documents, body);
}

}  // namespace dolmen::document
