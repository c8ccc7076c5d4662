#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/schema.h"

namespace dolmen {

class Store;

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
  kFailed,  ///< a stored document cannot be in it; `reason` says which and why
};

/// "building", "ready" or "failed".
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
  /// A JSON object of conditions that all must hold, each on an indexed field: {"age": 30} for equality,
  /// {"age": {"$gte": 18, "$lt": 65}} for a range. The operators are $eq, $gt, $gte, $lt and $lte.
  std::string filter;
  std::optional<DocumentSort> sort = std::nullopt;
  /// 1 to 1000; there is no default.
  std::uint32_t limit = 0;
  /// Of the page before.
  std::string cursor = {};
};

struct DocumentPage {
  /// JSON texts, in the order of the index and then of `_id`.
  std::vector<std::string> documents;
  /// Where to go on; empty on the last page. A page may be short, even empty, and not be the last: one call looks at a
  /// bounded number of documents.
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

  Result<void> insert(const SchemaRef& ref, std::string_view document);
  /// Replaces a document as a whole. The version that it is stored under cannot change, nor can `_id`, which may be
  /// given beside the document to make sure of that. Fails with kDocumentNotFound.
  Result<void> update(const SchemaRef& ref, std::string_view document,
                      std::optional<std::string_view> id = std::nullopt);
  /// False when there was no such document in that version.
  Result<bool> remove(const SchemaRef& ref, std::string_view id);
  /// Fails with kDocumentNotFound.
  Result<std::string> get(const SchemaRef& ref, std::string_view id) const;

  // ---- Indexes and queries ----

  /// Declares an index, for good, and begins to build it in the background. Building goes on through failures that
  /// pass, and stops when they last; declaring the index again restarts it. Fails with kIndexExists, and
  /// kQueryInvalid when the schema has no such scalar field.
  Result<void> create_index(const SchemaRef& ref, const std::string& field);
  /// Sorted by field.
  Result<std::vector<DocumentIndex>> indexes(const SchemaRef& ref) const;
  /// Waits until no index of this store is being built here. Fails when the building of any has stopped, with the code
  /// of the first; the details are all of them.
  Result<void> wait_for_indexes() const;

  /// Fails with kQueryInvalid, whose message says what to change.
  Result<DocumentPage> query(const SchemaRef& ref, const DocumentQuery& query) const;
  /// How `query` would be carried out, or why it would be refused, as a JSON object. The same for the same question.
  Result<std::string> explain(const SchemaRef& ref, const DocumentQuery& query) const;

 private:
  struct State;
  explicit Documents(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace dolmen
