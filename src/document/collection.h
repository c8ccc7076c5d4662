#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/index_set.h"
#include "document/plan.h"
#include "document/rows.h"
#include "document/turns.h"
#include "dolmen/documents.h"
#include "dolmen/schema.h"

namespace dolmen::document {

/// A document as it is stored.
struct StoredDocument {
  CheckedDocument document;
  /// Differs from that of every other write.
  std::int64_t mark = 0;

  /// As users see it.
  [[nodiscard]] Document shown() &&;
};

/// The mark of a document as users see it.
std::string revision_of(std::int64_t mark);

/// Reads a document's row. Fails with kCorruption when it is damaged or does not fit its schema: an invalid document is
/// never returned.
Result<StoredDocument> read_stored(const Schema& schema, const Item& row);

/// The entries of a document in indexes.
struct IndexEntry {
  RowKey key;
  std::string id;
};

/// The entry of a document in the index on a field; nothing when the document has no such value. Fails with
/// kSchemaValidationFailed when the value is too long to be in an index.
Result<std::optional<IndexEntry>> entry_of(const Schema& schema, const CheckedDocument& document,
                                           const std::string& field);

/// The documents of one version of a schema. Lives for one call.
class Collection {
 public:
  Collection(const Schema& schema, const Rows& rows, IndexSets& indexes, Turns& turns)
      : schema_(schema), rows_(rows), indexes_(indexes), turns_(turns) {}

  /// Fails as `insert` would, but does not check whether the `_id` is taken.
  Result<void> validate(std::string_view document) const;
  Result<std::string> insert(std::string_view document);
  Result<std::string> update(std::string_view document, const UpdateDocumentOptions& options);
  /// Moves a document from here to another version of the same schema, in one write.
  Result<std::string> move_to(const Collection& target, std::string_view document,
                              const UpdateDocumentOptions& options);
  Result<std::optional<std::string>> remove(std::string_view id, const DeleteDocumentOptions& options);
  Result<std::optional<StoredDocument>> get(std::string_view id) const;
  Result<DocumentPage> list(const ListDocumentsOptions& options) const;
  Result<DocumentPage> query(const DocumentQuery& query) const;
  Result<Plan> plan(const DocumentQuery& query) const;

 private:
  /// The changes of entries for indexes when `old` becomes `fresh`; either may be nothing.
  Result<void> add_entries(const IndexSet& set, const CheckedDocument* old, const CheckedDocument* fresh,
                           std::vector<RowChange>& changes) const;
  [[nodiscard]] RowChange put_document(const CheckedDocument& document, std::int64_t mark) const;
  [[nodiscard]] std::int64_t new_mark() const { return static_cast<std::int64_t>(rows_.random() >> 1U); }
  /// That a new document has the `_id` that it must have.
  Result<void> check_id(const CheckedDocument& document, const std::optional<std::string>& id) const;
  /// That the stored document is the one that a writer has seen.
  Result<void> check_revision(const StoredDocument& stored, const std::optional<std::string>& expected) const;
  std::unexpected<Error> taken(std::string_view id, const std::optional<Item>& claim) const;
  /// Adds the matches among `rows`, which are documents or entries of the plan's index.
  Result<void> add_matches(const Plan& plan, const std::vector<Row>& rows, std::vector<StoredDocument>& found) const;
  [[nodiscard]] bool matches(const Plan& plan, const CheckedDocument& document) const;
  /// The page of a plan that begins at the cursor.
  Result<DocumentPage> walk(Plan plan, const std::string& cursor) const;

  const Schema& schema_;
  const Rows& rows_;
  IndexSets& indexes_;
  Turns& turns_;
};

}  // namespace dolmen::document
