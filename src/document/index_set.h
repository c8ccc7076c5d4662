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

/// The indexes of one version of a schema at one time, which `revision` identifies.
struct IndexSet {
  std::int64_t revision = 0;
  /// Sorted by field.
  std::vector<DocumentIndex> indexes;

  /// Null when the field has no index.
  [[nodiscard]] const DocumentIndex* find(std::string_view field) const;
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
  /// Ends the building of an index.
  Result<void> finish(const SchemaRef& ref, const DocumentIndex& index);

 private:
  const Rows& rows_;
  std::mutex sets_mutex_;  ///< Guards all members below.
  std::map<SchemaRef, std::shared_ptr<const IndexSet>> sets_;
};

}  // namespace dolmen::document
