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

/// What a table is asked to be.
///
///     store->create_table({.name = "notes",
///                          .partition_key = {"topic", KeyType::kString},
///                          .sort_key = KeyAttribute{"written", KeyType::kNumber}});
struct TableDefinition {
  std::string name;
  KeyAttribute partition_key;
  std::optional<KeyAttribute> sort_key = std::nullopt;
  BillingMode billing_mode = BillingMode::kPayPerRequest;
  /// Only for BillingMode::kProvisioned.
  Throughput throughput = {};
  /// While set, the table cannot be deleted.
  bool deletion_protection = false;

  friend bool operator==(const TableDefinition&, const TableDefinition&) = default;
};

enum class TableStatus : std::uint8_t { kCreating, kActive, kDeleting };

/// What a table is.
struct TableDescription {
  using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

  TableDefinition definition;
  TableStatus status = TableStatus::kActive;
  /// A UUID that no other table, before or after, has.
  std::string id;
  std::string arn;
  TimePoint created;
  /// Exact for small tables, an estimate for large ones.
  std::uint64_t item_count = 0;
  std::uint64_t size_bytes = 0;
};

/// One page of table names, in the order of their bytes.
struct TableNamePage {
  std::vector<std::string> names;
  /// Where to go on; nothing on the last page.
  std::optional<std::string> last_name;
};

}  // namespace dolmen
