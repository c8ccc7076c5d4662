#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen {

/// The types that a key attribute can have.
enum class KeyType : std::uint8_t { kString, kNumber, kBinary };

/// S, N or B.
std::string_view key_type_name(KeyType type);

struct KeyAttribute {
  std::string name;
  KeyType type = KeyType::kString;

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

enum class BillingMode : std::uint8_t { kPayPerRequest, kProvisioned };

/// Capacity units a second of a table that is billed by provisioned throughput.
struct Throughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;

  friend bool operator==(const Throughput&, const Throughput&) = default;
};

/// Which attributes the rows of an index carry, besides the keys of the index and of the table.
enum class ProjectionType : std::uint8_t { kAll, kKeysOnly, kInclude };

/// A secondary index. A local one has the table's partition key; a global one has up to four partition and four sort
/// attributes.
///
///     {.name = "by-author", .partition_keys = {{"author", KeyType::kString}}, .sort_keys = {{"written",
///     KeyType::kNumber}}}
struct IndexDefinition {
  std::string name;
  std::vector<KeyAttribute> partition_keys;
  std::vector<KeyAttribute> sort_keys = {};
  ProjectionType projection = ProjectionType::kAll;
  /// Only for ProjectionType::kInclude.
  std::vector<std::string> included_attributes = {};
  /// Only for a global index of a table with BillingMode::kProvisioned.
  Throughput throughput = {};

  friend bool operator==(const IndexDefinition&, const IndexDefinition&) = default;
};

/// The definition of a table, as it is created.
///
///     store->create_table({.name = "notes",
///                          .partition_key = {"topic", KeyType::kString},
///                          .sort_key = KeyAttribute{"written", KeyType::kNumber}});
struct TableDefinition {
  std::string name;
  KeyAttribute partition_key;
  std::optional<KeyAttribute> sort_key = std::nullopt;
  std::vector<IndexDefinition> local_indexes = {};
  std::vector<IndexDefinition> global_indexes = {};
  BillingMode billing_mode = BillingMode::kPayPerRequest;
  /// Only for BillingMode::kProvisioned.
  Throughput throughput = {};
  /// While set, the table cannot be deleted.
  bool deletion_protection = false;

  friend bool operator==(const TableDefinition&, const TableDefinition&) = default;
};

enum class TableStatus : std::uint8_t { kCreating, kActive, kDeleting };

/// How much an index or a table holds, with sizes as DynamoDB counts them. Dolmen keeps it exact at any moment; AWS
/// brings it up to date every few hours.
struct Extent {
  std::uint64_t item_count = 0;
  std::uint64_t size_bytes = 0;

  friend bool operator==(const Extent&, const Extent&) = default;
};

/// The description of an existing table.
struct TableDescription {
  using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

  TableDefinition definition;
  TableStatus status = TableStatus::kActive;
  /// A UUID that no other table ever has, not even a later one of the same name.
  std::string id;
  std::string arn;
  TimePoint created;
  Extent extent;
  /// In the order of the definition's indexes.
  std::vector<Extent> local_index_extents;
  std::vector<Extent> global_index_extents;
};

/// One page of table names, in the order of their bytes.
struct TableNamePage {
  std::vector<std::string> names;
  /// Where to go on; nothing on the last page.
  std::optional<std::string> last_name;
};

}  // namespace dolmen
