#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "document/patience.h"
#include "dolmen/documents.h"
#include "dolmen/error.h"
#include "dolmen/schema.h"
#include "dolmen/store.h"
#include "dolmen/value.h"
#include "service/service.h"

namespace dolmen::document {

/// The place of a row. Rows of a partition are ordered by the bytes of `sort`, which is not empty.
struct RowKey {
  std::string partition;
  std::string sort;

  friend bool operator==(const RowKey&, const RowKey&) = default;
};

struct Row {
  std::string sort;
  Item attributes;
};

/// A change or a check of one row, as part of a write.
struct RowChange {
  enum class Kind : std::uint8_t { kPut, kDelete, kCheck };

  Kind kind = Kind::kPut;
  RowKey key;
  /// The attributes of a put.
  Item attributes = {};
  /// A condition expression, with its values. Empty means no condition.
  std::string condition = {};
  Item values = {};
};

/// Rows lower <= sort <= upper of a partition.
struct RowRange {
  std::string partition;
  std::string lower;
  std::string upper;
  bool descending = false;
  std::uint32_t limit = 100;
  /// Continue after this row.
  std::optional<std::string> after = std::nullopt;
};

struct RowPage {
  std::vector<Row> rows;
  /// There may be more after the last row.
  bool more = false;
};

/// The table that holds documents and everything that belongs to them. In an embedded store it is internal; at an
/// endpoint it is the table "dolmen.documents". The first write creates it. Thread-safe; every read is consistent.
class Rows {
 public:
  explicit Rows(Store& store, const DocumentOptions& options = {});

  /// Fails with kUnsupported when the rows are at an endpoint without transactions, which could never take a document.
  Result<void> check_transactions(Store& store) const;

  Result<std::optional<Item>> get(const RowKey& key) const;
  /// The row at each key, in order; each row is read separately.
  Result<std::vector<std::optional<Item>>> get_many(const std::vector<RowKey>& keys) const;
  Result<RowPage> range(const RowRange& range) const;

  /// Carries out all changes or none. Returns the positions of changes whose condition does not hold, in which case
  /// nothing was written; none on success. The log record names `refs` as the schemas of the write.
  Result<std::vector<std::size_t>> write(const std::vector<RowChange>& changes,
                                         const std::vector<SchemaRef>& refs) const;
  Result<std::vector<std::size_t>> write(const std::vector<RowChange>& changes, const SchemaRef& ref) const {
    return write(changes, std::vector{ref});
  }

  /// A random number for the content of rows.
  [[nodiscard]] std::uint64_t random() const { return random_(); }
  /// For a write that starts again when others were faster.
  [[nodiscard]] Patience patience() const { return {sleep_, random_}; }

 private:
  Result<void> make_table() const;
  /// A new table at an endpoint takes a while to become active.
  Result<void> wait_until_active() const;

  Service* service_;
  bool embedded_;
  std::string table_;
  Sleep sleep_;
  RandomNumbers random_;
};

}  // namespace dolmen::document
