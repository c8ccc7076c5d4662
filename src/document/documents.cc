#include "dolmen/documents.h"

#include <utility>

#include "document/backend.h"
#include "dolmen/store.h"
#include "service/dolmen_calls.h"

namespace dolmen {

struct Documents::State {
  std::unique_ptr<document::Backend> backend;
};

Documents::Documents(std::unique_ptr<State> state) : state_(std::move(state)) {}
Documents::Documents(Documents&&) noexcept = default;
Documents& Documents::operator=(Documents&&) noexcept = default;
Documents::~Documents() = default;

Result<Documents> Documents::open(Store& store, const DocumentOptions& options) {
  auto state = std::make_unique<State>();
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

Result<void> Documents::insert(const SchemaRef& ref, std::string_view document) {
  return state_->backend->insert(ref, document);
}

Result<void> Documents::update(const SchemaRef& ref, std::string_view document, std::optional<std::string_view> id) {
  return state_->backend->update(ref, document, id);
}

Result<bool> Documents::remove(const SchemaRef& ref, std::string_view id) { return state_->backend->remove(ref, id); }

Result<std::string> Documents::get(const SchemaRef& ref, std::string_view id) const {
  return state_->backend->get(ref, id);
}

Result<void> Documents::create_index(const SchemaRef& ref, const std::string& field) {
  return state_->backend->create_index(ref, field);
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

}  // namespace dolmen
