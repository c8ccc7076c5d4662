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
};

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
  Result<void> insert(std::string_view document);
  Result<void> update(std::string_view document, std::optional<std::string_view> id);
  Result<bool> remove(std::string_view id);
  Result<std::optional<StoredDocument>> get(std::string_view id) const;
  Result<DocumentPage> query(const DocumentQuery& query);
  Result<Plan> plan(const DocumentQuery& query);

 private:
  /// The changes of entries for indexes when `old` becomes `fresh`; either may be nothing.
  Result<void> add_entries(const IndexSet& set, const CheckedDocument* old, const CheckedDocument* fresh,
                           std::vector<RowChange>& changes) const;
  [[nodiscard]] RowChange put_document(const CheckedDocument& document) const;
  std::unexpected<Error> taken(std::string_view id, const std::optional<Item>& claim) const;
  /// Adds the matches among `rows`, which are documents or entries of the plan's index.
  Result<void> add_matches(const Plan& plan, const std::vector<Row>& rows, std::vector<StoredDocument>& found) const;
  [[nodiscard]] bool matches(const Plan& plan, const CheckedDocument& document) const;

  const Schema& schema_;
  const Rows& rows_;
  IndexSets& indexes_;
  Turns& turns_;
};

}  // namespace dolmen::document
