// UpdateContinuousBackups, DescribeContinuousBackups, RestoreTableToPointInTime, CreateBackup, DescribeBackup,
// ListBackups, DeleteBackup, RestoreTableFromBackup.
#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "service/table_rules.h"
#include "wire/backup_json.h"
#include "wire/operation.h"
#include "wire/response_json.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

Done<ContinuousBackups> encoded_backups(Done<std::string> done) {
  return encoded<ContinuousBackups>(
      [](const ContinuousBackups& backups) -> Result<std::string> { return continuous_backups_body(backups); },
      std::move(done));
}

Done<BackupDescription> encoded_backup(Done<std::string> done) {
  return encoded<BackupDescription>(
      [](const BackupDescription& backup) -> Result<std::string> { return backup_description_body(backup); },
      std::move(done));
}

Done<TableDescription> encoded_restored(Done<std::string> done) {
  return encoded<TableDescription>(
      [](const TableDescription& table) -> Result<std::string> {
        return object_text(
            [&](ObjectWriter& object) { append_table_description(object.member("TableDescription"), table); });
      },
      std::move(done));
}

Result<void> update_continuous_backups(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  const Parameters specification = *parameters.structure("PointInTimeRecoverySpecification");
  UpdateContinuousBackupsRequest request{
      .table = std::move(table), .change = {.enabled = specification.boolean("PointInTimeRecoveryEnabled", false)}};
  if (const auto days = specification.integer("RecoveryPeriodInDays"))
    request.change.period_days = static_cast<int>(*days);
  backend.service.start(UpdateContinuousBackups{}, std::move(request), encoded_backups(std::move(done)));
  return {};
}

Result<void> describe_continuous_backups(const Parameters& parameters, const Backend& backend,
                                         Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  backend.service.start(DescribeContinuousBackups{}, {.table = std::move(table)}, encoded_backups(std::move(done)));
  return {};
}

Result<void> restore_to_point_in_time(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(RestoreToPointInTime request, read_restore_to_point_in_time(parameters));
  backend.service.start(RestoreTableToPointInTime{}, std::move(request), encoded_restored(std::move(done)));
  return {};
}

Result<void> create_backup(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  CreateBackupRequest request{.table = std::move(table), .name = parameters.required_string("BackupName")};
  backend.service.start(
      CreateBackup{}, std::move(request),
      encoded<BackupDetails>(
          [](const BackupDetails& details) -> Result<std::string> { return backup_details_body(details); },
          std::move(done)));
  return {};
}

Result<void> describe_backup(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(DescribeBackup{}, {.arn = parameters.required_string("BackupArn")},
                        encoded_backup(std::move(done)));
  return {};
}

Result<void> delete_backup(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(DeleteBackup{}, {.arn = parameters.required_string("BackupArn")},
                        encoded_backup(std::move(done)));
  return {};
}

Result<void> list_backups(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ListBackupsOptions options{.after = parameters.string("ExclusiveStartBackupArn")};
  if (const auto table = parameters.string("TableName")) {
    DOLMEN_TRY(options.of_table, table_name_of(*table, backend.account));
  }
  if (const auto limit = parameters.integer("Limit")) options.limit = static_cast<int>(*limit);
  DOLMEN_TRY(options.from, read_time(parameters, "TimeRangeLowerBound"));
  DOLMEN_TRY(options.until, read_time(parameters, "TimeRangeUpperBound"));
  if (const auto type = parameters.string("BackupType")) {
    options.all_types = *type == "ALL";
    options.type = backup_type_of(*type);
  }
  backend.service.start(
      ListBackups{}, std::move(options),
      encoded<BackupPage>([](const BackupPage& page) -> Result<std::string> { return backup_page_body(page); },
                          std::move(done)));
  return {};
}

/// Names that are too short or too long have words of their own here.
Result<std::string> read_target(const Parameters& parameters) {
  std::string name = parameters.required_string("TargetTableName");
  if (name.size() < limits::kTableNameMin || name.size() > limits::kTableNameMax)
    return fail(Code::kValidation, "TableName must be at least {} characters long and at most {} characters long",
                limits::kTableNameMin, limits::kTableNameMax);
  if (std::ranges::all_of(name, is_name_character)) return name;
  return fail(Code::kValidation,
              "1 validation error detected: Value '{}' at 'targetTableName' failed to satisfy constraint: Member must "
              "satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
              name);
}

Result<void> restore_from_backup(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  RestoreFromBackup request{.backup_arn = parameters.required_string("BackupArn"), .target = {}};
  DOLMEN_TRY(request.target, read_target(parameters));
  DOLMEN_TRY(request.overrides, read_overrides(parameters));
  backend.service.start(RestoreTableFromBackup{}, std::move(request), encoded_restored(std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> backup_operations() {
  static const WireOperation kAll[] = {
      {UpdateContinuousBackups::kInfo, update_continuous_backups},
      {DescribeContinuousBackups::kInfo, describe_continuous_backups},
      {RestoreTableToPointInTime::kInfo, restore_to_point_in_time},
      {CreateBackup::kInfo, create_backup},
      {DescribeBackup::kInfo, describe_backup},
      {ListBackups::kInfo, list_backups},
      {DeleteBackup::kInfo, delete_backup},
      {RestoreTableFromBackup::kInfo, restore_from_backup},
  };
  return kAll;
}

}  // namespace dolmen::wire
