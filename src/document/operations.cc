#include "document/operations.h"

#include <algorithm>
#include <ranges>

#include "base/fail.h"
#include "document/request.h"

namespace dolmen::document {
namespace {

std::string ref_object(const SchemaRef& ref) {
  return object_text([&](ObjectWriter& object) { write_ref(object, ref); });
}

/// What was read of a request beside the schema. What is wrong with the schema is told before what is wrong with that.
template <class T>
Result<T> after_schema(const Documents& documents, const SchemaRef& ref, Result<T> parameter) {
  if (parameter) return parameter;
  if (const auto known = documents.schema(ref); !known) return std::unexpected(known.error());
  return parameter;
}

Result<std::string> publish_schema(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema", "text"}));
  // As text it is kept byte for byte; as an object, as it stands in the request.
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
  DOLMEN_TRY_VOID(ObjectView::request(body, {}));
  DOLMEN_TRY(const std::vector<PublishedInfo> all, documents.schemas());
  return object_text([&](ObjectWriter& object) {
    object.objects("schemas", all, [](ObjectWriter& schema, const PublishedInfo& info) {
      write_ref(schema, info.ref);
      schema.text("sha256", info.sha256);
    });
  });
}

void write_indexes(ObjectWriter& object, const std::vector<DocumentIndex>& indexes) {
  object.objects("indexes", indexes, [](ObjectWriter& element, const DocumentIndex& index) {
    element.text("field", index.field).text("state", index_state_name(index.state));
    if (!index.reason.empty()) element.text("reason", index.reason);
  });
}

Result<std::string> describe_schema(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const PublishedInfo info, documents.schema(ref));
  DOLMEN_TRY(const std::vector<DocumentIndex> indexes, documents.indexes(ref));
  return object_text([&](ObjectWriter& object) {
    write_ref(object, ref);
    object.text("sha256", info.sha256).text("text", info.text);
    write_indexes(object, indexes);
  });
}

/// The document as JSON, or as a string that holds it.
Result<std::string> document_in(const ObjectView& request) {
  DOLMEN_TRY(std::optional<std::string> text, request.optional_text("text"));
  if (text) return *std::move(text);
  DOLMEN_TRY(const std::string_view document, request.json("document"));
  return std::string(document);
}

Result<std::string> validate(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "document", "text"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string document, after_schema(documents, ref, document_in(request)));
  DOLMEN_TRY_VOID(documents.validate(ref, document));
  return "{}";
}

std::string revision_object(const std::string& revision) {
  return object_text([&](ObjectWriter& object) { object.text("revision", revision); });
}

/// `_id` and `expected_revision`.
Result<UpdateDocumentOptions> update_options_in(const ObjectView& request) {
  UpdateDocumentOptions options;
  DOLMEN_TRY(options.id, request.optional_text("_id"));
  DOLMEN_TRY(options.expected_revision, request.optional_text("expected_revision"));
  return options;
}

Result<std::string> insert(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "document", "text"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string document, after_schema(documents, ref, document_in(request)));
  DOLMEN_TRY(const std::string revision, documents.insert(ref, document));
  return revision_object(revision);
}

Result<std::string> update(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "document", "text",
                                                                  "_id", "expected_revision"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string document, after_schema(documents, ref, document_in(request)));
  DOLMEN_TRY(const UpdateDocumentOptions options, after_schema(documents, ref, update_options_in(request)));
  DOLMEN_TRY(const std::string revision, documents.update(ref, document, options));
  return revision_object(revision);
}

Result<std::string> move(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "to_version",
                                                                  "document", "text", "_id", "expected_revision"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string to_version, after_schema(documents, ref, version_in(request, "to_version")));
  DOLMEN_TRY(const std::string document, after_schema(documents, ref, document_in(request)));
  DOLMEN_TRY(const UpdateDocumentOptions options, after_schema(documents, ref, update_options_in(request)));
  DOLMEN_TRY(const std::string revision, documents.move(ref, to_version, document, options));
  return revision_object(revision);
}

Result<std::string> get(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "_id"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string id, after_schema(documents, ref, request.text("_id")));
  DOLMEN_TRY(const Document document, documents.get(ref, id));
  return object_text(
      [&](ObjectWriter& object) { object.json("document", document.text).text("revision", document.revision); });
}

Result<std::string> remove(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"schema_id", "schema_version", "_id", "expected_revision"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string id, after_schema(documents, ref, request.text("_id")));
  DeleteDocumentOptions options;
  DOLMEN_TRY(options.expected_revision, after_schema(documents, ref, request.optional_text("expected_revision")));
  DOLMEN_TRY(const std::optional<std::string> revision, documents.remove(ref, id, options));
  return object_text([&](ObjectWriter& object) {
    object.flag("deleted", revision.has_value());
    if (revision) object.text("revision", *revision);
  });
}

std::string page_object(const DocumentPage& page) {
  return object_text([&](ObjectWriter& object) {
    std::string& out = object.member("documents");
    append_array(out, page.documents, [&](const Document& document) { out.append(document.text); });
    object.texts("revisions", std::views::transform(page.documents, &Document::revision));
    if (!page.cursor.empty()) object.text("cursor", page.cursor);
  });
}

Result<std::string> list(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "limit", "cursor"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const ListDocumentsOptions options, after_schema(documents, ref, listing_in(request)));
  DOLMEN_TRY(const DocumentPage page, documents.list(ref, options));
  return page_object(page);
}

Result<std::string> query(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"schema_id", "schema_version", "filter", "sort", "limit", "cursor"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const DocumentQuery question, after_schema(documents, ref, query_in(request)));
  DOLMEN_TRY(const DocumentPage page, documents.query(ref, question));
  return page_object(page);
}

Result<std::string> explain(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"schema_id", "schema_version", "filter", "sort", "limit", "cursor"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const DocumentQuery question, after_schema(documents, ref, query_in(request)));
  return documents.explain(ref, question);
}

Result<std::string> create_index(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "field"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string field, after_schema(documents, ref, request.text("field")));
  DOLMEN_TRY_VOID(documents.create_index(ref, field));
  return "{}";
}

Result<std::string> drop_index(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "field"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string field, after_schema(documents, ref, request.text("field")));
  DOLMEN_TRY(const bool dropped, documents.drop_index(ref, field));
  return object_text([&](ObjectWriter& object) { object.flag("dropped", dropped); });
}

Result<std::string> rebuild_index(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version", "field"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::string field, after_schema(documents, ref, request.text("field")));
  DOLMEN_TRY_VOID(documents.rebuild_index(ref, field));
  return "{}";
}

Result<std::string> list_indexes(Documents& documents, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"schema_id", "schema_version"}));
  DOLMEN_TRY(const SchemaRef ref, ref_in(request));
  DOLMEN_TRY(const std::vector<DocumentIndex> indexes, documents.indexes(ref));
  return object_text([&](ObjectWriter& object) { write_indexes(object, indexes); });
}

struct Operation {
  std::string_view name;
  Result<std::string> (*run)(Documents& documents, std::string_view body);
};

constexpr Operation kOperations[] = {
    {"CreateIndex", create_index},
    {"DeleteDocument", remove},
    {"DescribeSchema", describe_schema},
    {"DropIndex", drop_index},
    {"RebuildIndex", rebuild_index},
    {"ExplainQuery", explain},
    {"GetDocument", get},
    {"InsertDocument", insert},
    {"ListDocuments", list},
    {"ListIndexes", list_indexes},
    {"ListSchemas", list_schemas},
    {"MoveDocument", move},
    {"PublishSchema", publish_schema},
    {"QueryDocuments", query},
    {"UpdateDocument", update},
    {"ValidateDocument", validate},
};

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return found == std::end(kOperations) ? nullptr : found;
}

}  // namespace

bool is_operation(std::string_view operation) { return find_operation(operation) != nullptr; }

Result<std::string> execute(Documents& documents, std::string_view operation, std::string_view body) {
  const Operation* found = find_operation(operation);
  if (found == nullptr) return fail(Code::kUnknownOperation, "there is no operation {}{}", kTargetPrefix, operation);
  return found->run(documents, body);
}

}  // namespace dolmen::document
