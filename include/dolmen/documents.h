#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/document_filter.h"
#include "dolmen/error.h"
#include "dolmen/schema.h"
#include "dolmen/store.h"

namespace dolmen {

/// A schema that has been published.
struct PublishedInfo {
  SchemaRef ref;
  /// The file, byte for byte, and its SHA-256.
  std::string text;
  std::string sha256;
};

enum class IndexState : std::uint8_t {
  kBuilding,  ///< writes keep it, queries cannot use it yet; with a `reason` building has stopped for now
  kReady,
  kFailed,    ///< a stored document cannot be in it; `reason` says which and why
  kDropping,  ///< being removed; with a `reason` that has stopped for now
};

/// "building", "ready", "failed" or "dropping".
std::string_view index_state_name(IndexState state);

/// An index of one version of a schema. `_id` always has one, which is not listed.
struct DocumentIndex {
  /// A path of Schema::scalars, such as "address.city".
  std::string field;
  IndexState state = IndexState::kBuilding;
  std::string reason = {};

  friend bool operator==(const DocumentIndex&, const DocumentIndex&) = default;
};

struct DocumentOptions {
  /// Between the attempts of what others or a passing failure keep from happening.
  Sleep sleep = {};
  RandomNumbers random = {};
};

struct DocumentSort {
  std::string field;
  bool descending = false;
};

struct DocumentQuery {
  /// Conditions that all must hold, each on an indexed field: `where("age") >= 18 && where("age") < 65`. Or a JSON
  /// object that says them: {"age": 30} for equality, {"age": {"$gte": 18, "$lt": 65}} for a range. The operators are
  /// $eq, $gt, $gte, $lt and $lte.
  DocumentFilter filter;
  std::optional<DocumentSort> sort = std::nullopt;
  /// 1 to 1000; there is no default.
  std::uint32_t limit = 0;
  /// Of the page before.
  std::string cursor = {};
};

/// A document as it is stored.
struct Document {
  /// JSON without insignificant space.
  std::string text;
  /// Identifies the write that made the document what it is. Every write gives it another one, also after a delete and
  /// an insert; it says nothing about which of two came first.
  std::string revision;

  friend bool operator==(const Document&, const Document&) = default;
};

/// What must hold for a document to be replaced or moved.
struct UpdateDocumentOptions {
  /// The `_id` that the new document must have.
  std::optional<std::string> id = std::nullopt;
  /// Fails with kConditionFailed when the document has another revision.
  std::optional<std::string> expected_revision = std::nullopt;
};

struct DeleteDocumentOptions {
  /// Fails with kConditionFailed when the document has another revision, and when there is none.
  std::optional<std::string> expected_revision = std::nullopt;
};

struct ListDocumentsOptions {
  /// 1 to 1000.
  std::uint32_t limit = 100;
  /// Of the page before.
  std::string cursor = {};
};

struct DocumentPage {
  /// In the order of the index and then of `_id`.
  std::vector<Document> documents;
  /// Where to go on; empty on the last page. A page may be short, even empty, and not be the last: one call looks at a
  /// bounded number of documents, and a page has a bounded number of bytes.
  std::string cursor;
};

/// Strict collections of documents on any store. A collection is a schema id; every call names id and version and sees
/// documents of that version alone. `_id` is unique across the versions of an id. Thread-safe; a call returns when it
/// is done, and what it has written is as durable as the store.
///
///     auto docs = Documents::open(*store).value();
///     docs.publish(schema_file).value();
///     auto bad = docs.insert({"users", "v1"}, R"({"_id":"u1","email":42})");  // kSchemaValidationFailed, with details
///
/// Every call with a schema checks in this order: kSchemaRequired, kUnknownSchema, kUnknownSchemaVersion, then
/// kSchemaValidationFailed; the store's own errors come last. A refused write leaves no trace.
class Documents {
 public:
  /// Finishes what an interrupted build of an index has left, after checking the documents it concerns. Fails with
  /// kCorruption when published schemas and stored documents do not fit together. The store must outlive this.
  static Result<Documents> open(Store& store, const DocumentOptions& options = {});

  Documents(Documents&&) noexcept;
  Documents& operator=(Documents&&) noexcept;
  /// Stops building indexes; the next `open` goes on.
  ~Documents();

  // ---- Schemas ----

  /// Publishes a schema file, once and for good. Fails with kSchemaInvalid, kSchemaImmutable.
  Result<SchemaRef> publish(std::string_view schema_text, std::string_view file_name = "schema.json");
  /// Sorted by id and version.
  Result<std::vector<PublishedInfo>> schemas() const;
  Result<PublishedInfo> schema(const SchemaRef& ref) const;
  /// What `insert` would say about the document, apart from `_id` being taken.
  Result<void> validate(const SchemaRef& ref, std::string_view document) const;

  // ---- Documents ----

  /// The revision that the document has now.
  Result<std::string> insert(const SchemaRef& ref, std::string_view document);
  /// Replaces a document as a whole, and returns its new revision. The version that it is stored under cannot change,
  /// nor can `_id`. Fails with kDocumentNotFound, kConditionFailed.
  Result<std::string> update(const SchemaRef& ref, std::string_view document,
                             const UpdateDocumentOptions& options = {});
  /// Moves a document to another version of its schema, where it is replaced by `document`; returns its new revision.
  /// At every moment it is there in exactly one of the two. Fails as `update` does, and with kQueryInvalid when both
  /// versions are the same.
  Result<std::string> move(const SchemaRef& from, const std::string& to_version, std::string_view document,
                           const UpdateDocumentOptions& options = {});
  /// The revision that was deleted; nothing when there was no such document in that version. Fails with
  /// kConditionFailed.
  Result<std::optional<std::string>> remove(const SchemaRef& ref, std::string_view id,
                                            const DeleteDocumentOptions& options = {});
  /// Fails with kDocumentNotFound.
  Result<Document> get(const SchemaRef& ref, std::string_view id) const;
  /// All documents of that version, in the order of `_id`. Fails with kQueryInvalid.
  Result<DocumentPage> list(const SchemaRef& ref, const ListDocumentsOptions& options = {}) const;

  // ---- Indexes and queries ----

  /// Checks that all documents can be in an index on the field, declares it, and begins to build it in the background.
  /// Building goes on through failures that pass, and stops when they last; declaring the index again restarts it.
  /// Fails with kIndexExists, with kQueryInvalid when the schema has no such scalar field, and with
  /// kSchemaValidationFailed or kCorruption when a stored document cannot be in it; then nothing is left of it.
  Result<void> create_index(const SchemaRef& ref, const std::string& field);
  /// Removes an index, whatever its state. Queries cannot use it any more; its entries go in the background, and until
  /// then it is listed as kDropping. False when there was none.
  Result<bool> drop_index(const SchemaRef& ref, const std::string& field);
  /// Builds an index again from the documents, whatever its state. Queries cannot use it until it is ready. Fails as
  /// `create_index` does, leaving the index as it is, and with kQueryInvalid when there is none.
  Result<void> rebuild_index(const SchemaRef& ref, const std::string& field);
  /// Sorted by field.
  Result<std::vector<DocumentIndex>> indexes(const SchemaRef& ref) const;
  /// Waits until no index of this store is being built or dropped here. Fails when the building of any has stopped,
  /// with the code of the first; the details are all of them.
  Result<void> wait_for_indexes() const;

  /// Fails with kQueryInvalid, whose message says what to change.
  Result<DocumentPage> query(const SchemaRef& ref, const DocumentQuery& query) const;
  /// How `query` would be carried out, or why it would be refused, as a JSON object. The same for the same question.
  Result<std::string> explain(const SchemaRef& ref, const DocumentQuery& query) const;

  // ---- The same without waiting ----

  /// The callbacks run on threads of this object, where they may wait, or on the store's executor if it has one. The
  /// destructor waits until all have run, or the executor has been given them. Fails with kThrottled when thousands of
  /// calls wait already.
  void async_validate(SchemaRef ref, std::string document, Callback<void> done) const;
  void async_insert(SchemaRef ref, std::string document, Callback<std::string> done);
  void async_update(SchemaRef ref, std::string document, UpdateDocumentOptions options, Callback<std::string> done);
  void async_move(SchemaRef from, std::string to_version, std::string document, UpdateDocumentOptions options,
                  Callback<std::string> done);
  void async_remove(SchemaRef ref, std::string id, DeleteDocumentOptions options,
                    Callback<std::optional<std::string>> done);
  void async_get(SchemaRef ref, std::string id, Callback<Document> done) const;
  void async_list(SchemaRef ref, ListDocumentsOptions options, Callback<DocumentPage> done) const;
  void async_query(SchemaRef ref, DocumentQuery query, Callback<DocumentPage> done) const;

 private:
  struct State;
  explicit Documents(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace dolmen
