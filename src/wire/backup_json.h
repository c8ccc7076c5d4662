#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/backup.h"
#include "dolmen/error.h"
#include "wire/parameters.h"

/// Backups and points in time as JSON.
namespace dolmen::wire {

/// A moment in seconds since 1970, with a fraction. Fails with kValidation when it is too far away to be one.
Result<std::optional<TableTime>> read_time(const Parameters& parameters, std::string_view name);

/// The overrides of both operations that restore a table, with the checks that need no table.
Result<RestoreOverrides> read_overrides(const Parameters& parameters);

/// The parameters of RestoreTableToPointInTime.
Result<RestoreToPointInTime> read_restore_to_point_in_time(const Parameters& parameters);

/// {"ContinuousBackupsDescription": ...}
std::string continuous_backups_body(const ContinuousBackups& backups);
/// {"BackupDetails": ...}
std::string backup_details_body(const BackupDetails& details);
/// {"BackupDescription": ...}
std::string backup_description_body(const BackupDescription& description);
std::string backup_page_body(const BackupPage& page);

}  // namespace dolmen::wire
