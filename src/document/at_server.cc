// Documents at a Dolmen server: every operation is a call of its protocol.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <set>

#include "base/fail.h"
#include "base/sleep.h"
#include "config/read.h"
#include "document/backend.h"
#include "document/builder.h"
#include "document/request.h"
#include "schema/json_scanner.h"
#include "schema/limits.h"
#include "service/service.h"
#include "service/wait.h"
#include "value/json.h"

namespace dolmen::document {
namespace {

using config::Node;

constexpr std::size_t kResponseBytesMax = std::size_t{1} << 30;

/// Writes the members of a request.
class RequestText {
 public:
  RequestText() = default;
  explicit RequestText(const SchemaRef& ref) { text("schema_id", ref.id).text("schema_version", ref.version); }

  RequestText& text(std::string_view name, std::string_view value) {
    begin(name);
    json::append_string(out_, value);
    return *this;
  }
  RequestText& json(std::string_view name, std::string_view value) {
    begin(name);
    out_.append(value);
    return *this;
  }
  [[nodiscard]] std::string finish() const { return out_ + "}"; }

 private:
  void begin(std::string_view name) {
    if (out_.size() > 1) out_.push_back(',');
    json::append_string(out_, name);
    out_.push_back(':');
  }

  std::string out_ = "{";
};

std::unexpected<Error> strange() {
  return fail(Code::kUnexpectedResponse, "the response of the server is not one of Dolmen's document protocol");
}

Result<Node> tree_of(const std::string& response) {
  config::Reading reading = config::read_json(response, {.bytes = kResponseBytesMax, .depth = 100});
  if (!reading.root) return strange();
  return *std::move(reading.root);
}

std::string text_in(const Node& node, std::string_view name) {
  const Node* found = node.find(name);
  return found == nullptr ? "" : found->text;
}

SchemaRef ref_in(const Node& node) {
  return {.id = text_in(node, "schema_id"), .version = text_in(node, "schema_version")};
}

/// The elements of a JSON list, unchanged.
std::vector<std::string> elements_of(std::string_view list) {
  std::vector<std::string> elements;
  schema::JsonScanner scanner(list);
  scanner.expect('[', "");
  for (scanner.peek(); !scanner.failed() && !scanner.accept(']'); scanner.accept(','), scanner.peek()) {
    const std::size_t start = scanner.position();
    scanner.skip(limits::kDocumentNesting);
    elements.emplace_back(list.substr(start, scanner.position() - start));
  }
  return elements;
}

class AtServer final : public Backend {
 public:
  AtServer(DolmenCalls& calls, const DocumentOptions& options) : calls_(calls), sleep_(or_real_sleep(options.sleep)) {}

  Result<std::string> call(std::string_view operation, const RequestText& request) {
    return wait_for<std::string>([&](auto done) { calls_.call(operation, request.finish(), std::move(done)); });
  }

  Result<SchemaRef> publish(std::string_view schema_text, std::string_view file_name) override {
    // Parsed here so that mistakes are reported with the file's name.
    DOLMEN_TRY_VOID(parse_schema(schema_text, file_name));
    DOLMEN_TRY(const std::string response, call("PublishSchema", RequestText().text("text", schema_text)));
    DOLMEN_TRY(const Node node, tree_of(response));
    return ref_in(node);
  }

  Result<std::vector<PublishedInfo>> schemas() override {
    DOLMEN_TRY(const std::string response, call("ListSchemas", {}));
    DOLMEN_TRY(const Node node, tree_of(response));
    const Node* list = node.find("schemas");
    if (list == nullptr) return strange();
    std::vector<PublishedInfo> infos;
    for (const Node& one : list->elements) {
      DOLMEN_TRY(PublishedInfo info, schema(ref_in(one)));
      infos.push_back(std::move(info));
    }
    return infos;
  }

  Result<PublishedInfo> schema(const SchemaRef& ref) override {
    DOLMEN_TRY(const std::string response, call("DescribeSchema", RequestText(ref)));
    DOLMEN_TRY(const Node node, tree_of(response));
    return PublishedInfo{.ref = ref, .text = text_in(node, "text"), .sha256 = text_in(node, "sha256")};
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
    DOLMEN_TRY(const std::string response, call("DeleteDocument", RequestText(ref).text("_id", id)));
    return response == R"({"deleted":true})";
  }

  Result<std::string> get(const SchemaRef& ref, std::string_view id) override {
    DOLMEN_TRY(const std::string response, call("GetDocument", RequestText(ref).text("_id", id)));
    DOLMEN_TRY(const RequestView view, RequestView::read(response, {"document"}));
    DOLMEN_TRY(const std::string_view document, view.json("document"));
    return std::string(document);
  }

  Result<void> create_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY_VOID(call("CreateIndex", RequestText(ref).text("field", field)));
    const std::scoped_lock lock(declared_mutex_);
    declared_.insert(ref);
    return {};
  }

  Result<std::vector<DocumentIndex>> indexes(const SchemaRef& ref) override {
    DOLMEN_TRY(const std::string response, call("ListIndexes", RequestText(ref)));
    DOLMEN_TRY(const Node node, tree_of(response));
    const Node* list = node.find("indexes");
    if (list == nullptr) return strange();
    std::vector<DocumentIndex> all;
    for (const Node& index : list->elements) {
      const std::string state = text_in(index, "state");
      all.push_back({.field = text_in(index, "field"),
                     .state = state == "ready"    ? IndexState::kReady
                              : state == "failed" ? IndexState::kFailed
                                                  : IndexState::kBuilding,
                     .reason = text_in(index, "reason")});
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
    DOLMEN_TRY(const RequestText request, question(ref, query));
    DOLMEN_TRY(const std::string response, call("QueryDocuments", request));
    DOLMEN_TRY(const RequestView view, RequestView::read(response, {"documents", "cursor"}));
    DOLMEN_TRY(const std::string_view documents, view.json("documents"));
    DOLMEN_TRY(const std::optional<std::string> cursor, view.optional_text("cursor"));
    return DocumentPage{.documents = elements_of(documents), .cursor = cursor.value_or("")};
  }

  Result<std::string> explain(const SchemaRef& ref, const DocumentQuery& query) override {
    DOLMEN_TRY(const RequestText request, question(ref, query));
    return call("ExplainQuery", request);
  }

 private:
  Result<void> write(std::string_view operation, const SchemaRef& ref, std::string_view document,
                     std::optional<std::string_view> id) {
    RequestText request(ref);
    request.text("text", document);
    if (id) request.text("_id", *id);
    DOLMEN_TRY_VOID(call(operation, request));
    return {};
  }

  /// Checks the filter, because one that is not JSON would break the request around it.
  static Result<RequestText> question(const SchemaRef& ref, const DocumentQuery& query) {
    if (!config::read_json(query.filter, {.bytes = kResponseBytesMax, .depth = 100}).root)
      return fail(Code::kQueryInvalid, "the filter cannot be read: it is not a JSON object");
    RequestText request(ref);
    request.json("filter", query.filter).json("limit", std::to_string(query.limit));
    if (!query.cursor.empty()) request.text("cursor", query.cursor);
    if (query.sort) {
      RequestText sort;
      sort.text("field", query.sort->field).text("order", query.sort->descending ? "desc" : "asc");
      request.json("sort", "[" + sort.finish() + "]");
    }
    return request;
  }

  DolmenCalls& calls_;
  const Sleep sleep_;
  std::mutex declared_mutex_;     ///< Guards all members below.
  std::set<SchemaRef> declared_;  ///< Schemas with declared indexes that were not yet waited for.
};

/// True for the errors that other servers than Dolmen return for an unknown operation.
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
  const Result<std::string> answer = server->call("ListSchemas", {});
  if (answer) return server;
  if (is_foreign(answer.error())) return nullptr;
  return std::unexpected(answer.error());
}

}  // namespace dolmen::document
