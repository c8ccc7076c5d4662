// Documents that a Dolmen server keeps: every operation is a call of its protocol.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>

#include "base/fail.h"
#include "base/sleep.h"
#include "document/backend.h"
#include "document/builder.h"
#include "document/request.h"
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
  index.state = state == "ready" ? IndexState::kReady : state == "failed" ? IndexState::kFailed : IndexState::kBuilding;
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
    return write("ValidateDocument", ref, document, std::nullopt);
  }
  Result<void> insert(const SchemaRef& ref, std::string_view document) override {
    return write("InsertDocument", ref, document, std::nullopt);
  }
  Result<void> update(const SchemaRef& ref, std::string_view document, std::optional<std::string_view> id) override {
    return write("UpdateDocument", ref, document, id);
  }

  Result<bool> remove(const SchemaRef& ref, std::string_view id) override {
    DOLMEN_TRY(const std::string response,
               call("DeleteDocument", request_for(ref, [&](ObjectWriter& object) { object.text("_id", id); })));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    return view.flag("deleted");
  }

  Result<std::string> get(const SchemaRef& ref, std::string_view id) override {
    DOLMEN_TRY(const std::string response,
               call("GetDocument", request_for(ref, [&](ObjectWriter& object) { object.text("_id", id); })));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    DOLMEN_TRY(const std::string_view document, view.json("document"));
    return std::string(document);
  }

  Result<void> create_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY_VOID(call("CreateIndex", request_for(ref, [&](ObjectWriter& object) { object.text("field", field); })));
    const std::scoped_lock lock(declared_mutex_);
    declared_.insert(ref);
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
    std::set<SchemaRef> declared;
    {
      const std::scoped_lock lock(declared_mutex_);
      declared.swap(declared_);
    }
    const auto is_at_work = [](const DocumentIndex& index) {
      return index.state == IndexState::kBuilding && index.reason.empty();
    };
    std::vector<std::pair<std::string, Error>> failures;
    for (const SchemaRef& ref : declared) {
      DOLMEN_TRY(std::vector<DocumentIndex> all, indexes(ref));
      while (std::ranges::any_of(all, is_at_work)) {
        sleep_(std::chrono::milliseconds(20));
        DOLMEN_TRY(all, indexes(ref));
      }
      for (const DocumentIndex& index : all)
        if (index.state == IndexState::kBuilding)
          failures.emplace_back(to_string(ref) + " " + index.field, Error(Code::kUnavailable, index.reason));
    }
    if (failures.empty()) return {};
    return std::unexpected(build_failure(failures));
  }

  Result<DocumentPage> query(const SchemaRef& ref, const DocumentQuery& query) override {
    DOLMEN_TRY(const std::string request, question(ref, query));
    DOLMEN_TRY(const std::string response, call("QueryDocuments", request));
    DOLMEN_TRY(const ObjectView view, ObjectView::response(response));
    DOLMEN_TRY(const std::vector<std::string_view> documents, view.list("documents"));
    DOLMEN_TRY(const std::optional<std::string> cursor, view.optional_text("cursor"));
    return DocumentPage{.documents = {documents.begin(), documents.end()}, .cursor = cursor.value_or("")};
  }

  Result<std::string> explain(const SchemaRef& ref, const DocumentQuery& query) override {
    DOLMEN_TRY(const std::string request, question(ref, query));
    return call("ExplainQuery", request);
  }

 private:
  Result<void> write(std::string_view operation, const SchemaRef& ref, std::string_view document,
                     std::optional<std::string_view> id) {
    DOLMEN_TRY_VOID(call(operation, request_for(ref, [&](ObjectWriter& object) {
                           object.text("text", document);
                           if (id) object.text("_id", *id);
                         })));
    return {};
  }

  /// A filter that is not JSON would break the request around it.
  static Result<std::string> question(const SchemaRef& ref, const DocumentQuery& query) {
    if (!is_json(query.filter)) return fail(Code::kQueryInvalid, "the filter cannot be read: it is not a JSON object");
    return request_for(ref, [&](ObjectWriter& object) {
      object.json("filter", query.filter).number("limit", query.limit);
      if (!query.cursor.empty()) object.text("cursor", query.cursor);
      if (query.sort) write_sort(object, *query.sort);
    });
  }

  DolmenCalls& calls_;
  const Sleep sleep_;
  std::mutex declared_mutex_;     ///< Guards what follows.
  std::set<SchemaRef> declared_;  ///< Where indexes were declared and not yet waited for.
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
