// Documents that a Dolmen server keeps: every operation is a call of its protocol.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>

#include "base/fail.h"
#include "base/sleep.h"
#include "document/backend.h"
#include "document/builder.h"
#include "document/invalid.h"
#include "document/request.h"
#include "schema/limits.h"
#include "service/service.h"
#include "service/wait.h"

namespace dolmen::document {
namespace {

Result<SchemaRef> published_ref(const ObjectView& response) {
  SchemaRef ref;
  DOLMEN_TRY(ref.id, response.text("schema_id"));
  DOLMEN_TRY(ref.version, response.text("schema_version"));
  return ref;
}

Result<DocumentIndex> index_in(std::string_view element) {
  DOLMEN_TRY(const ObjectView view, ObjectView::response(element));
  DocumentIndex index;
  DOLMEN_TRY(index.field, view.text("field"));
  DOLMEN_TRY(const std::string state, view.text("state"));
  index.state = index_state_of(state);
  DOLMEN_TRY(const std::optional<std::string> reason, view.optional_text("reason"));
  index.reason = reason.value_or("");
  return index;
}

class AtServer final : public Backend {
 public:
  AtServer(DolmenCalls& calls, const DocumentOptions& options) : calls_(calls), sleep_(or_real_sleep(options.sleep)) {}

  Result<std::string> call(std::string_view operation, const std::string& request) {
    return wait_for<std::string>([&](auto done) { calls_.call(operation, request, std::move(done)); });
  }

  Result<SchemaRef> publish(std::string_view schema_text, std::string_view file_name) override {
    // Mistakes are better told with the file's name.
    DOLMEN_TRY_VOID(parse_schema(schema_text, file_name));
    const std::string request = object_text([&](ObjectWriter& object) { object.text("text", schema_text); });
    DOLMEN_TRY(const std::string response, call("PublishSchema", request));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    return published_ref(view);
  }

  Result<std::vector<PublishedInfo>> schemas() override {
    DOLMEN_TRY(const std::string response, call("ListSchemas", "{}"));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    DOLMEN_TRY(const std::vector<std::string_view> list, view.list("schemas"));
    std::vector<PublishedInfo> infos;
    for (const std::string_view element : list) {
      DOLMEN_TRY(const ObjectView one, ObjectView::response(element));
      DOLMEN_TRY(const SchemaRef ref, published_ref(one));
      DOLMEN_TRY(infos.emplace_back(), schema(ref));
    }
    return infos;
  }

  Result<PublishedInfo> schema(const SchemaRef& ref) override {
    DOLMEN_TRY(const std::string response, call("DescribeSchema", request_for(ref)));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    PublishedInfo info{.ref = ref, .text = {}, .sha256 = {}};
    DOLMEN_TRY(info.text, view.text("text"));
    DOLMEN_TRY(info.sha256, view.text("sha256"));
    return info;
  }

  Result<void> validate(const SchemaRef& ref, std::string_view document) override {
    DOLMEN_TRY_VOID(check_document(ref, document));
    DOLMEN_TRY_VOID(
        call("ValidateDocument", request_for(ref, [&](ObjectWriter& object) { object.text("text", document); })));
    return {};
  }
  Result<std::string> insert(const SchemaRef& ref, std::string_view document) override {
    DOLMEN_TRY_VOID(check_document(ref, document));
    return write("InsertDocument", request_for(ref, [&](ObjectWriter& object) { object.text("text", document); }));
  }
  Result<std::string> update(const SchemaRef& ref, std::string_view document,
                             const UpdateDocumentOptions& options) override {
    DOLMEN_TRY_VOID(check_document(ref, document));
    return write("UpdateDocument", request_for(ref, [&](ObjectWriter& object) {
                   object.text("text", document);
                   write_options(object, options);
                 }));
  }
  Result<std::string> move(const SchemaRef& from, const std::string& to_version, std::string_view document,
                           const UpdateDocumentOptions& options) override {
    if (!is_sendable(document)) DOLMEN_TRY_VOID(schema(from));
    DOLMEN_TRY_VOID(check_document({.id = from.id, .version = to_version}, document));
    return write("MoveDocument", request_for(from, [&](ObjectWriter& object) {
                   object.text("to_version", sendable(to_version)).text("text", document);
                   write_options(object, options);
                 }));
  }

  Result<std::optional<std::string>> remove(const SchemaRef& ref, std::string_view id,
                                            const DeleteDocumentOptions& options) override {
    if (!is_utf8(id)) {
      DOLMEN_TRY_VOID(schema(ref));
      if (!options.expected_revision) return std::nullopt;
      return no_revision(ref, id, *options.expected_revision);
    }
    DOLMEN_TRY(const std::string response, call("DeleteDocument", request_for(ref, [&](ObjectWriter& object) {
                                                  object.text("_id", id);
                                                  if (options.expected_revision)
                                                    object.text("expected_revision",
                                                                sendable(*options.expected_revision));
                                                })));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    return view.optional_text("revision");
  }

  Result<Document> get(const SchemaRef& ref, std::string_view id) override {
    if (!is_utf8(id)) {
      DOLMEN_TRY_VOID(schema(ref));
      return not_found(ref, id);
    }
    DOLMEN_TRY(const std::string response,
               call("GetDocument", request_for(ref, [&](ObjectWriter& object) { object.text("_id", id); })));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    DOLMEN_TRY(const std::string_view text, view.json("document"));
    DOLMEN_TRY(std::string revision, view.text("revision"));
    return Document{.text = std::string(text), .revision = std::move(revision)};
  }

  Result<DocumentPage> list(const SchemaRef& ref, const ListDocumentsOptions& options) override {
    return page("ListDocuments", request_for(ref, [&](ObjectWriter& object) {
                  object.number("limit", options.limit);
                  if (!options.cursor.empty()) object.text("cursor", sendable(options.cursor));
                }));
  }

  Result<void> create_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY_VOID(change_index("CreateIndex", ref, field));
    return {};
  }
  Result<bool> drop_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY(const std::string response, change_index("DropIndex", ref, field));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    return view.flag("dropped");
  }
  Result<void> rebuild_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY_VOID(change_index("RebuildIndex", ref, field));
    return {};
  }

  Result<std::vector<DocumentIndex>> indexes(const SchemaRef& ref) override {
    DOLMEN_TRY(const std::string response, call("ListIndexes", request_for(ref)));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    DOLMEN_TRY(const std::vector<std::string_view> list, view.list("indexes"));
    std::vector<DocumentIndex> all;
    for (const std::string_view element : list) {
      DOLMEN_TRY(all.emplace_back(), index_in(element));
    }
    return all;
  }

  Result<void> wait_for_indexes() override {
    std::set<SchemaRef> changed;
    {
      const std::scoped_lock lock(changed_mutex_);
      changed.swap(changed_);
    }
    const auto is_at_work = [](const DocumentIndex& index) { return is_unfinished(index) && index.reason.empty(); };
    std::vector<std::pair<std::string, Error>> failures;
    for (const SchemaRef& ref : changed) {
      DOLMEN_TRY(std::vector<DocumentIndex> all, indexes(ref));
      while (std::ranges::any_of(all, is_at_work)) {
        sleep_(std::chrono::milliseconds(20));
        DOLMEN_TRY(all, indexes(ref));
      }
      for (const DocumentIndex& index : all)
        if (is_unfinished(index))
          failures.emplace_back(to_string(ref) + " " + index.field, Error(Code::kUnavailable, index.reason));
    }
    if (failures.empty()) return {};
    return std::unexpected(build_failure(failures));
  }

  Result<DocumentPage> query(const SchemaRef& ref, const DocumentQuery& query) override {
    return page("QueryDocuments", question(ref, query));
  }

  Result<std::string> explain(const SchemaRef& ref, const DocumentQuery& query) override {
    return call("ExplainQuery", question(ref, query));
  }

 private:
  static bool is_sendable(std::string_view document) {
    return is_utf8(document) && document.size() <= limits::kDocumentTextBytes;
  }

  /// A document that cannot be sent is refused here as the server would refuse it, after what is wrong with
  /// the schema.
  Result<void> check_document(const SchemaRef& ref, std::string_view document) {
    if (is_sendable(document)) return {};
    DOLMEN_TRY(const PublishedInfo info, schema(ref));
    DOLMEN_TRY(const Schema known, parse_schema(info.text));
    DOLMEN_TRY_VOID(validate_document(known, document));
    return {};
  }

  /// A write that answers with the document's revision.
  Result<std::string> write(std::string_view operation, const std::string& request) {
    DOLMEN_TRY(const std::string response, call(operation, request));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    return view.text("revision");
  }

  static void write_options(ObjectWriter& object, const UpdateDocumentOptions& options) {
    if (options.id) object.text("_id", sendable(*options.id));
    if (options.expected_revision) object.text("expected_revision", sendable(*options.expected_revision));
  }

  Result<DocumentPage> page(std::string_view operation, const std::string& request) {
    DOLMEN_TRY(const std::string response, call(operation, request));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    DOLMEN_TRY(const std::vector<std::string_view> documents, view.list("documents"));
    DOLMEN_TRY(const std::vector<std::string_view> revisions, view.list("revisions"));
    if (documents.size() != revisions.size())
      return fail(Code::kUnexpectedResponse, "the response has {} documents and {} revisions", documents.size(),
                  revisions.size());
    DocumentPage page;
    for (std::size_t i = 0; i < documents.size(); ++i)
      page.documents.push_back(
          {.text = std::string(documents[i]), .revision = json_text(revisions[i]).value_or(std::string())});
    DOLMEN_TRY(const std::optional<std::string> cursor, view.optional_text("cursor"));
    page.cursor = cursor.value_or("");
    return page;
  }

  Result<std::string> change_index(std::string_view operation, const SchemaRef& ref, const std::string& field) {
    DOLMEN_TRY(std::string response,
               call(operation, request_for(ref, [&](ObjectWriter& object) { object.text("field", sendable(field)); })));
    const std::scoped_lock lock(changed_mutex_);
    changed_.insert(ref);
    return response;
  }

  /// The filter is sent as a text, so that the server says what is wrong with it, after what is wrong with the schema.
  static std::string question(const SchemaRef& ref, const DocumentQuery& query) {
    return request_for(ref, [&](ObjectWriter& object) {
      object.text("filter", is_sendable(query.filter.json()) ? query.filter.json() : kNoText);
      object.number("limit", query.limit);
      if (!query.cursor.empty()) object.text("cursor", sendable(query.cursor));
      if (query.sort) write_sort(object, *query.sort);
    });
  }

  DolmenCalls& calls_;
  const Sleep sleep_;
  std::mutex changed_mutex_;     ///< Guards what follows.
  std::set<SchemaRef> changed_;  ///< Where indexes were changed and not yet waited for.
};

/// What others than Dolmen answer to an operation that they have never heard of.
bool is_foreign(const Error& error) {
  switch (error.code()) {
    case Code::kUnknownOperation:
    case Code::kValidation:
    case Code::kSerialization:
    case Code::kAccessDenied:
    case Code::kUnexpectedResponse: return true;
    default: return false;
  }
}

}  // namespace

Result<std::unique_ptr<Backend>> open_at_server(DolmenCalls& calls, const DocumentOptions& options) {
  auto server = std::make_unique<AtServer>(calls, options);
  const Result<std::string> answer = server->call("ListSchemas", "{}");
  if (answer) return server;
  if (is_foreign(answer.error())) return nullptr;
  return std::unexpected(answer.error());
}

}  // namespace dolmen::document
