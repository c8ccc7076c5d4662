#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/table.h"
#include "dolmen/table_update.h"

/// Backups of tables, points in time, and restoring either of them to a new table.
namespace dolmen {

// ---- Points in time ----

/// Whether a table keeps its history, from which it can be restored as it was at any moment of a period.
struct PointInTimeRecovery {
  bool enabled = false;
  // Only while it is enabled:
  std::optional<int> period_days = std::nullopt;
  std::optional<TableTime> earliest = std::nullopt;
  std::optional<TableTime> latest = std::nullopt;

  friend bool operator==(const PointInTimeRecovery&, const PointInTimeRecovery&) = default;
};

struct ContinuousBackups {
  /// True for every table that is active.
  bool enabled = true;
  PointInTimeRecovery point_in_time = {};

  friend bool operator==(const ContinuousBackups&, const ContinuousBackups&) = default;
};

/// Starts or ends the history of a table, or changes its period.
struct PointInTimeChange {
  bool enabled = true;
  /// 1 to 35; 35 when it is not given. Only when it is enabled.
  std::optional<int> period_days = std::nullopt;

  friend bool operator==(const PointInTimeChange&, const PointInTimeChange&) = default;
};

// ---- Restoring ----

/// An index of the source that the restored table is to have, found by its keys and its projection.
struct IndexOverride {
  /// Another name renames it.
  std::string name;
  std::vector<std::string> partition_keys;
  std::vector<std::string> sort_keys = {};
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> included_attributes = {};
  /// Only of a global index of a table with BillingMode::kProvisioned.
  std::optional<Throughput> throughput = std::nullopt;
  OnDemandThroughput on_demand = {};

  friend bool operator==(const IndexOverride&, const IndexOverride&) = default;
};

/// In what the restored table differs from its source. What is not given is as it was.
struct RestoreOverrides {
  std::optional<BillingMode> billing_mode = std::nullopt;
  /// An empty list drops all indexes.
  std::optional<std::vector<IndexOverride>> global_indexes = std::nullopt;
  std::optional<std::vector<IndexOverride>> local_indexes = std::nullopt;
  /// Those of the source that the restored table is to have; the types of their search attributes do not matter.
  std::optional<std::vector<VectorIndexDefinition>> vector_indexes = std::nullopt;
  std::optional<Throughput> throughput = std::nullopt;
  std::optional<OnDemandThroughput> on_demand = std::nullopt;
  std::optional<EncryptionUpdate> encryption = std::nullopt;

  friend bool operator==(const RestoreOverrides&, const RestoreOverrides&) = default;
};

/// Makes a new table of what another was at one moment.
///
///     store->restore_to_point_in_time({.source = "orders", .target = "orders-before", .time = then});
struct RestoreToPointInTime {
  /// The name or the ARN of the table.
  std::string source;
  std::string target;
  /// Nothing means the latest moment.
  std::optional<TableTime> time = std::nullopt;
  RestoreOverrides overrides = {};
};

/// Makes a new table of a backup.
struct RestoreFromBackup {
  std::string backup_arn;
  std::string target;
  RestoreOverrides overrides = {};
};

// ---- Backups ----

enum class BackupStatus : std::uint8_t { kCreating, kAvailable, kDeleted };
/// Who made a backup: somebody, DeleteTable, or AWS's backup service.
enum class BackupType : std::uint8_t { kUser, kSystem, kAwsBackup };

/// CREATING, AVAILABLE or DELETED.
std::string_view backup_status_name(BackupStatus status);
std::optional<BackupStatus> backup_status_of(std::string_view name);
/// USER, SYSTEM or AWS_BACKUP.
std::string_view backup_type_name(BackupType type);
std::optional<BackupType> backup_type_of(std::string_view name);

struct BackupDetails {
  std::string arn;
  std::string name;
  std::uint64_t size_bytes = 0;
  BackupStatus status = BackupStatus::kAvailable;
  BackupType type = BackupType::kUser;
  TableTime created;
  /// Only of one that ends by itself.
  std::optional<TableTime> expires = std::nullopt;

  friend bool operator==(const BackupDetails&, const BackupDetails&) = default;
};

/// A backup, and the table of which it was made, as it was.
struct BackupDescription {
  BackupDetails details;
  TableDefinition definition;
  std::string table_id;
  std::string table_arn;
  TableTime table_created;
  Extent extent;
};

/// Which backups are wanted.
struct ListBackupsOptions {
  /// Only those of tables of this name.
  std::optional<std::string> of_table = std::nullopt;
  /// 1 to 100.
  std::optional<int> limit = std::nullopt;
  /// Made at this time or later.
  std::optional<TableTime> from = std::nullopt;
  /// Made before this time.
  std::optional<TableTime> until = std::nullopt;
  /// Made after the backup with this ARN, which need not exist.
  std::optional<std::string> after = std::nullopt;
  /// Only those that somebody made, unless another type or `all_types` is given.
  std::optional<BackupType> type = std::nullopt;
  bool all_types = false;
};

struct BackupSummary {
  BackupDetails details;
  std::string table;
  std::string table_id;
  std::string table_arn;

  friend bool operator==(const BackupSummary&, const BackupSummary&) = default;
};

/// One page of backups, in the order in which they were made.
struct BackupPage {
  std::vector<BackupSummary> backups;
  /// Where to go on; nothing on the last page.
  std::optional<std::string> last_arn = std::nullopt;
};

}  // namespace dolmen
