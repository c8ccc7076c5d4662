#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "document/rows.h"
#include "dolmen/documents.h"
#include "dolmen/schema.h"

namespace dolmen::document {

/// The state of that name; kBuilding for any other text.
IndexState index_state_of(std::string_view name);

/// Whether the index is being built or dropped.
inline bool is_unfinished(const DocumentIndex& index) {
  return index.state == IndexState::kBuilding || index.state == IndexState::kDropping;
}

/// An index as its row says.
struct DeclaredIndex : DocumentIndex {
  /// Changes whenever the index is declared, built again or dropped, so that whoever works on it for an earlier reason
  /// stops.
  std::int64_t epoch = 0;
  /// Entries that are there must be removed before it is built.
  bool clears = false;
};

/// The indexes of one version of a schema at one time, which `revision` identifies.
struct IndexSet {
  std::int64_t revision = 0;
  /// Sorted by field.
  std::vector<DeclaredIndex> indexes;

  /// Null when the field has no index.
  [[nodiscard]] const DeclaredIndex* find(std::string_view field) const;
};

/// The definitions of all indexes, read once, and again when a write finds that they have changed.
/// Thread-safe.
class IndexSets {
 public:
  explicit IndexSets(const Rows& rows) : rows_(rows) {}

  Result<std::shared_ptr<const IndexSet>> get(const SchemaRef& ref);
  /// Reads the indexes of a schema again.
  Result<std::shared_ptr<const IndexSet>> reload(const SchemaRef& ref);

  /// The check, as part of a write, that the set is still current.
  static RowChange unchanged(const SchemaRef& ref, const IndexSet& set);

  /// Declares an index. Fails with kIndexExists or kLimitExceeded.
  Result<void> declare(const SchemaRef& ref, const std::string& field);
  /// Gives an index that is there another state: kBuilding, from the beginning, or kDropping. False when it is not
  /// there.
  Result<bool> restart(const SchemaRef& ref, const std::string& field, IndexState state);
  /// Ends the building of an index with `index`, or removes it when it is kDropping. Does nothing when it has another
  /// epoch.
  Result<void> finish(const SchemaRef& ref, const DeclaredIndex& index);
  /// The check, as part of a write, that an index still has its epoch.
  static RowChange still(const SchemaRef& ref, const DeclaredIndex& index);

 private:
  /// Writes an index, on condition that the set is current, and makes another revision of it.
  Result<bool> replace(const SchemaRef& ref, const IndexSet& set, DeclaredIndex index);

  const Rows& rows_;
  std::mutex sets_mutex_;  ///< Guards all members below.
  std::map<SchemaRef, std::shared_ptr<const IndexSet>> sets_;
};

}  // namespace dolmen::document
