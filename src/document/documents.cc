#include "dolmen/documents.h"

#include <utility>

#include "base/fail.h"
#include "base/workers.h"
#include "document/backend.h"
#include "dolmen/store.h"
#include "service/dolmen_calls.h"

namespace dolmen {

struct Documents::State {
  /// Lets a worker carry out `call()` and give its outcome to `done`.
  template <class T, class Call>
  void start(Call call, Callback<T> done) {
    // Shared, because the error below needs it too.
    auto answer = std::make_shared<Callback<T>>(std::move(done));
    const bool taken = workers.run([this, answer, call = std::move(call)]() mutable { give(*answer, call()); });
    if (!taken) give(*answer, Result<T>(fail(Code::kThrottled, "too many calls on documents are waiting; try again")));
  }

  template <class T>
  void give(Callback<T>& done, Result<T> result) {
    if (!executor) return done(std::move(result));
    executor([done = std::move(done), result = std::move(result)]() mutable { done(std::move(result)); });
  }

  std::unique_ptr<document::Backend> backend = {};
  Executor executor = {};
  Workers workers{{}};  ///< Last, because its threads use the others.
};

Documents::Documents(std::unique_ptr<State> state) : state_(std::move(state)) {}
Documents::Documents(Documents&&) noexcept = default;
Documents& Documents::operator=(Documents&&) noexcept = default;
Documents::~Documents() = default;

Result<Documents> Documents::open(Store& store, const DocumentOptions& options) {
  auto state = std::make_unique<State>();
  state->executor = store.executor();
  if (auto* calls = store.companions().find<DolmenCalls>()) {
    DOLMEN_TRY(state->backend, document::open_at_server(*calls, options));
  }
  if (!state->backend) {
    DOLMEN_TRY(state->backend, document::open_here(store, options));
  }
  return Documents(std::move(state));
}

Result<SchemaRef> Documents::publish(std::string_view schema_text, std::string_view file_name) {
  return state_->backend->publish(schema_text, file_name);
}

Result<std::vector<PublishedInfo>> Documents::schemas() const { return state_->backend->schemas(); }

Result<PublishedInfo> Documents::schema(const SchemaRef& ref) const { return state_->backend->schema(ref); }

Result<void> Documents::validate(const SchemaRef& ref, std::string_view document) const {
  return state_->backend->validate(ref, document);
}

Result<std::string> Documents::insert(const SchemaRef& ref, std::string_view document) {
  return state_->backend->insert(ref, document);
}

Result<std::string> Documents::update(const SchemaRef& ref, std::string_view document,
                                      const UpdateDocumentOptions& options) {
  return state_->backend->update(ref, document, options);
}

Result<std::string> Documents::move(const SchemaRef& from, const std::string& to_version, std::string_view document,
                                    const UpdateDocumentOptions& options) {
  return state_->backend->move(from, to_version, document, options);
}

Result<std::optional<std::string>> Documents::remove(const SchemaRef& ref, std::string_view id,
                                                     const DeleteDocumentOptions& options) {
  return state_->backend->remove(ref, id, options);
}

Result<Document> Documents::get(const SchemaRef& ref, std::string_view id) const {
  return state_->backend->get(ref, id);
}

Result<DocumentPage> Documents::list(const SchemaRef& ref, const ListDocumentsOptions& options) const {
  return state_->backend->list(ref, options);
}

Result<void> Documents::create_index(const SchemaRef& ref, const std::string& field) {
  return state_->backend->create_index(ref, field);
}

Result<bool> Documents::drop_index(const SchemaRef& ref, const std::string& field) {
  return state_->backend->drop_index(ref, field);
}

Result<void> Documents::rebuild_index(const SchemaRef& ref, const std::string& field) {
  return state_->backend->rebuild_index(ref, field);
}

Result<std::vector<DocumentIndex>> Documents::indexes(const SchemaRef& ref) const {
  return state_->backend->indexes(ref);
}

Result<void> Documents::wait_for_indexes() const { return state_->backend->wait_for_indexes(); }

Result<DocumentPage> Documents::query(const SchemaRef& ref, const DocumentQuery& query) const {
  return state_->backend->query(ref, query);
}

Result<std::string> Documents::explain(const SchemaRef& ref, const DocumentQuery& query) const {
  return state_->backend->explain(ref, query);
}

void Documents::async_validate(SchemaRef ref, std::string document, Callback<void> done) const {
  state_->start<void>([backend = state_->backend.get(), ref = std::move(ref),
                       document = std::move(document)] { return backend->validate(ref, document); },
                      std::move(done));
}

void Documents::async_insert(SchemaRef ref, std::string document, Callback<std::string> done) {
  state_->start<std::string>([backend = state_->backend.get(), ref = std::move(ref),
                              document = std::move(document)] { return backend->insert(ref, document); },
                             std::move(done));
}

void Documents::async_update(SchemaRef ref, std::string document, UpdateDocumentOptions options,
                             Callback<std::string> done) {
  state_->start<std::string>([backend = state_->backend.get(), ref = std::move(ref), document = std::move(document),
                              options = std::move(options)] { return backend->update(ref, document, options); },
                             std::move(done));
}

void Documents::async_move(SchemaRef from, std::string to_version, std::string document, UpdateDocumentOptions options,
                           Callback<std::string> done) {
  state_->start<std::string>(
      [backend = state_->backend.get(), from = std::move(from), to_version = std::move(to_version),
       document = std::move(document),
       options = std::move(options)] { return backend->move(from, to_version, document, options); },
      std::move(done));
}

void Documents::async_remove(SchemaRef ref, std::string id, DeleteDocumentOptions options,
                             Callback<std::optional<std::string>> done) {
  state_->start<std::optional<std::string>>(
      [backend = state_->backend.get(), ref = std::move(ref), id = std::move(id), options = std::move(options)] {
        return backend->remove(ref, id, options);
      },
      std::move(done));
}

void Documents::async_get(SchemaRef ref, std::string id, Callback<Document> done) const {
  state_->start<Document>(
      [backend = state_->backend.get(), ref = std::move(ref), id = std::move(id)] { return backend->get(ref, id); },
      std::move(done));
}

void Documents::async_list(SchemaRef ref, ListDocumentsOptions options, Callback<DocumentPage> done) const {
  state_->start<DocumentPage>([backend = state_->backend.get(), ref = std::move(ref),
                               options = std::move(options)] { return backend->list(ref, options); },
                              std::move(done));
}

void Documents::async_query(SchemaRef ref, DocumentQuery query, Callback<DocumentPage> done) const {
  state_->start<DocumentPage>([backend = state_->backend.get(), ref = std::move(ref),
                               query = std::move(query)] { return backend->query(ref, query); },
                              std::move(done));
}

}  // namespace dolmen
