#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "document/rows.h"
#include "dolmen/error.h"
#include "schema/registry.h"

namespace dolmen::document {

/// The published schemas of a store: files beside the data when the store has a directory, otherwise rows. In both
/// cases each schema has a row, so that a missing schema is detected. Thread-safe.
class Published {
 public:
  /// `files` is null when the store has no directory.
  Published(const Rows& rows, schema::Registry* files) : rows_(rows), files_(files) {}

  /// Checks that files and rows agree; adds rows that an interrupted publication has not written. Fails with
  /// kCorruption.
  Result<void> check();

  Result<schema::PublishedPointer> publish(std::string_view text, std::string_view file_name);
  /// Fails with kSchemaRequired, kUnknownSchema or kUnknownSchemaVersion, in this order.
  Result<schema::PublishedPointer> find(const SchemaRef& ref);
  /// Sorted by id and version.
  Result<std::vector<schema::PublishedPointer>> list();

 private:
  Result<void> add_row(const schema::PublishedSchema& published);
  /// The row that claims the schema's id, which also has the largest integer version where there are no files. Fails
  /// when the version is not larger.
  Result<RowChange> claim_id(const Schema& schema);
  Result<void> check_row(const Row& row, std::vector<SchemaRef>& seen);
  Result<schema::PublishedPointer> read_row(const Item& row, const std::string& name);
  Result<bool> has_id(const SchemaRef& ref);
  void remember(const schema::PublishedPointer& published);

  const Rows& rows_;
  schema::Registry* const files_;
  std::mutex known_mutex_;  ///< Guards the next member. Rows never change, so they are read once.
  std::map<SchemaRef, schema::PublishedPointer> known_;
};

}  // namespace dolmen::document
