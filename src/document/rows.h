#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/documents.h"
#include "dolmen/error.h"
#include "dolmen/schema.h"
#include "dolmen/store.h"
#include "dolmen/value.h"
#include "service/service.h"

namespace dolmen::document {

/// Where a row lies. The order of rows in a partition is that of the bytes of `sort`, which is not empty.
struct RowKey {
  std::string partition;
  std::string sort;

  friend bool operator==(const RowKey&, const RowKey&) = default;
};

struct Row {
  std::string sort;
  Item attributes;
};

/// A change of one row, or a look at it, as part of a write.
struct RowChange {
  enum class Kind : std::uint8_t { kPut, kDelete, kCheck };

  Kind kind = Kind::kPut;
  RowKey key;
  /// Of a put.
  Item attributes = {};
  /// A condition expression, with its values. Empty: none.
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
  /// Go on after this one.
  std::optional<std::string> after = std::nullopt;
};

struct RowPage {
  std::vector<Row> rows;
  /// There may be more after the last row.
  bool more = false;
};

/// The one table in which documents and all that belongs to them are kept. In an embedded store no client can name it;
/// elsewhere it is the table "dolmen.documents". It is made by the first write. Thread-safe; every read is consistent.
class Rows {
 public:
  explicit Rows(Store& store, const DocumentOptions& options = {});

  Result<std::optional<Item>> get(const RowKey& key) const;
  /// For each key in order what is there; each row is read by itself.
  Result<std::vector<std::optional<Item>>> get_many(const std::vector<RowKey>& keys) const;
  Result<RowPage> range(const RowRange& range) const;

  /// Carries out all changes or none. The positions of those whose condition does not hold, and then nothing has
  /// happened; none when it is done. `ref` is what the record of the log says it was written under.
  Result<std::vector<std::size_t>> write(const std::vector<RowChange>& changes, const SchemaRef& ref) const;

  /// Where the random numbers come from of what is written to rows.
  [[nodiscard]] std::uint64_t random() const { return random_(); }

 private:
  Result<void> make_table() const;
  /// Elsewhere a new table takes a while.
  Result<void> wait_until_active() const;

  Service* service_;
  bool embedded_;
  std::string table_;
  Sleep sleep_;
  RandomNumbers random_;
};

}  // namespace dolmen::document
