// Documents that this process keeps, in an embedded store or in a remote table.
#include "base/fail.h"
#include "document/backend.h"
#include "document/builder.h"
#include "document/collection.h"
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

  Result<void> check() {
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

  Result<void> insert(const SchemaRef& ref, std::string_view document) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).insert(document);
  }

  Result<void> update(const SchemaRef& ref, std::string_view document, std::optional<std::string_view> id) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).update(document, id);
  }

  Result<bool> remove(const SchemaRef& ref, std::string_view id) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    return collection(*published).remove(id);
  }

  Result<std::string> get(const SchemaRef& ref, std::string_view id) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    DOLMEN_TRY(std::optional<StoredDocument> stored, collection(*published).get(id));
    if (!stored) return fail(Code::kDocumentNotFound, "{} has no document \"{}\"", to_string(ref), id);
    return std::move(stored->document.text);
  }

  Result<void> create_index(const SchemaRef& ref, const std::string& field) override {
    DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
    if (field == "_id") return fail(Code::kIndexExists, "_id always has an index");
    if (!published->schema.find_scalar(field))
      return fail(
          Code::kQueryInvalid,
          "{} has no scalar field {}; an index is on a field such as \"age\" or \"address.city\" that is not in "
          "an array",
          to_string(ref), field);
    if (const Result<void> declared = indexes_.declare(ref, field); !declared && !is_left_behind(ref, field))
      return declared;
    builder_.start(ref, field);
    return {};
  }

  Result<std::vector<DocumentIndex>> indexes(const SchemaRef& ref) override {
    DOLMEN_TRY_VOID(published_.find(ref));
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.reload(ref));
    std::vector<DocumentIndex> all = set->indexes;
    for (DocumentIndex& index : all)
      if (index.state == IndexState::kBuilding) index.reason = builder_.failure_of(ref, index.field);
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
  /// True when building has stopped, or a remote process that was building has. Declaring the index again continues it.
  bool is_left_behind(const SchemaRef& ref, const std::string& field) {
    if (builder_.is_building(ref, field)) return false;
    const auto set = indexes_.get(ref);
    const DocumentIndex* index = set ? (*set)->find(field) : nullptr;
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
  DOLMEN_TRY_VOID(here->check());
  return here;
}

}  // namespace dolmen::document
