#pragma once

#include <string>
#include <string_view>

#include "dolmen/backup.h"
#include "dolmen/error.h"

/// What DynamoDB refuses in requests about backups and points in time, without a look at a table.
namespace dolmen {

inline constexpr int kRecoveryDaysMax = 35;

Result<void> check_point_in_time_change(const PointInTimeChange& change);
Result<void> check_backup_name(std::string_view name);
Result<void> check_backup_list(const ListBackupsOptions& options);

/// The rules for a restored table that need its source: applies the overrides to the definition of the source, and
/// leaves out what a restored table does not get (stream, time to live, tags, protection, class).
Result<TableDefinition> restored_definition(TableDefinition source, std::string target,
                                            const RestoreOverrides& overrides);

}  // namespace dolmen
