// Documents that this process keeps, in an embedded store or in a remote table.
#include "base/fail.h"
#include "document/backend.h"
#include "document/builder.h"
#include "document/collection.h"
#include "document/invalid.h"
#include "document/published.h"
#include "dolmen/store.h"
#include "schema/registry.h"
#include "service/write_gate.h"
#include "value/json.h"

namespace dolmen::document {
namespace {

PublishedInfo info_of(const schema::PublishedSchema& published) {
  return {.ref = published.schema.ref, .text = published.text, .sha256 = published.sha256};
}

class Here final : public Backend {
 public:
  Here(Store& store, const DocumentOptions& options)
      : alone_(store.companions().find<WriteGates>() != nullptr),
        rows_(store, options),
        published_(rows_, store.companions().find<schema::Registry>()),
        indexes_(rows_),
        builder_(rows_, published_, indexes_, options.sleep) {}

  Result<void> check(Store& store) {
    DOLMEN_TRY_VOID(rows_.check_transactions(store));
    DOLMEN_TRY_VOID(published_.check());
    // At a remote table other processes may be building them.
    return alone_ ? builder_.finish_interrupted() : Result<void>();
  }

  Result<SchemaRef> publish(std::string_view schema_text, std::string_view file_name) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.publish(schema_text, file_name));
    return published->schema.ref;
  }

  Result<std::vector<PublishedInfo>> schemas() override {
    DOLMEN_TRY(const std::vector<schema::PublishedPointer> all, published_.list());
    std::vector<PublishedInfo> infos;
    for (const schema::PublishedPointer& published : all) infos.push_back(info_of(*published));
    return infos;
  }

  Result<PublishedInfo> schema(const SchemaRef& ref) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return info_of(*published);
  }

  Result<void> validate(const SchemaRef& ref, std::string_view document) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).validate(document);
  }

  Result<std::string> insert(const SchemaRef& ref, std::string_view document) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).insert(document);
  }

  Result<std::string> update(const SchemaRef& ref, std::string_view document,
                             const UpdateDocumentOptions& options) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).update(document, options);
  }

  Result<std::string> move(const SchemaRef& from, const std::string& to_version, std::string_view document,
                           const UpdateDocumentOptions& options) override {
    DOLMEN_TRY(const schema::PublishedPointer source, published_.find(from));
    if (to_version.empty())
      return fail(Code::kSchemaRequired, "to_version: name the version that the document moves to");
    DOLMEN_TRY(const schema::PublishedPointer target, published_.find({.id = from.id, .version = to_version}));
    if (to_version == from.version)
      return invalid_part("to_version", "a move needs two versions, and both are {}; update the document", to_version);
    return collection(*source).move_to(collection(*target), document, options);
  }

  Result<std::optional<std::string>> remove(const SchemaRef& ref, std::string_view id,
                                            const DeleteDocumentOptions& options) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).remove(id, options);
  }

  Result<Document> get(const SchemaRef& ref, std::string_view id) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    DOLMEN_TRY(std::optional<StoredDocument> stored, collection(*published).get(id));
    if (!stored) return not_found(ref, id);
    return std::move(*stored).shown();
  }

  Result<DocumentPage> list(const SchemaRef& ref, const ListDocumentsOptions& options) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).list(options);
  }

  Result<void> create_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY_VOID(check_field(ref, field));
    if (field == "_id") return fail(Code::kIndexExists, "_id always has an index");
    if (!is_left_behind(ref, field)) {
      DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.reload(ref));
      if (set->find(field) == nullptr) DOLMEN_TRY_VOID(builder_.check(ref, field));
      DOLMEN_TRY_VOID(indexes_.declare(ref, field));
    }
    builder_.start(ref, field);
    return {};
  }

  Result<bool> drop_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY_VOID(check_field(ref, field));
    if (field == "_id") return invalid_part("field", "_id always has an index, which cannot be dropped");
    DOLMEN_TRY(const bool found, indexes_.restart(ref, field, IndexState::kDropping));
    if (found) builder_.start(ref, field);
    return found;
  }

  Result<void> rebuild_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY_VOID(check_field(ref, field));
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.reload(ref));
    const DeclaredIndex* index = set->find(field);
    if (index == nullptr || index->state == IndexState::kDropping)
      return invalid_part("field", "{} has no index on {} that could be built again", to_string(ref), field);
    DOLMEN_TRY_VOID(builder_.check(ref, field));
    DOLMEN_TRY_VOID(indexes_.restart(ref, field, IndexState::kBuilding));
    builder_.start(ref, field);
    return {};
  }

  Result<std::vector<DocumentIndex>> indexes(const SchemaRef& ref) override {
    DOLMEN_TRY_VOID(published_.find(ref));
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.reload(ref));
    std::vector<DocumentIndex> all(set->indexes.begin(), set->indexes.end());
    for (DocumentIndex& index : all)
      if (is_unfinished(index)) index.reason = builder_.failure_of(ref, index.field);
    return all;
  }

  Result<void> wait_for_indexes() override { return builder_.wait(); }

  Result<DocumentPage> query(const SchemaRef& ref, const DocumentQuery& query) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).query(query);
  }

  Result<std::string> explain(const SchemaRef& ref, const DocumentQuery& query) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    const Result<Plan> plan = collection(*published).plan(query);
    if (plan) return describe_plan(*plan);
    if (plan.error().code() != Code::kQueryInvalid) return std::unexpected(plan.error());
    std::string out = R"({"rejected":{"code":"QUERY_INVALID","message":)";
    json::append_string(out, plan.error().message());
    return out.append("}}");
  }

 private:
  /// Fails with kQueryInvalid when an index on the field cannot be.
  Result<void> check_field(const SchemaRef& ref, const std::string& field) {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    if (published->schema.find_scalar(field)) return {};
    return invalid_part("field",
                        "{} has no scalar field {}; an index is on a field such as \"age\" or \"address.city\" that is "
                        "not in an array",
                        to_string(ref), field);
  }

  /// True when building has stopped, or a remote process that was building has. Declaring the index again continues it.
  bool is_left_behind(const SchemaRef& ref, const std::string& field) {
    if (builder_.is_at_work(ref, field)) return false;
    const auto set = indexes_.get(ref);
    const DeclaredIndex* index = set ? (*set)->find(field) : nullptr;
    return index != nullptr && index->state == IndexState::kBuilding;
  }

  Collection collection(const schema::PublishedSchema& published) {
    return {published.schema, rows_, indexes_, turns_};
  }

  const bool alone_;  ///< No other process has the store open.
  const Rows rows_;
  Published published_;
  IndexSets indexes_;
  Turns turns_;
  IndexBuilder builder_;
};

}  // namespace

Result<std::unique_ptr<Backend>> open_here(Store& store, const DocumentOptions& options) {
  auto here = std::make_unique<Here>(store, options);
  DOLMEN_TRY_VOID(here->check(store));
  return here;
}

}  // namespace dolmen::document
