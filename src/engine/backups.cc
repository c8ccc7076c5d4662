// CreateBackup, DescribeBackup, ListBackups, DeleteBackup.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/arn.h"
#include "base/fail.h"
#include "dolmen/timestamp.h"
#include "engine/backup_rows.h"
#include "engine/engine.h"
#include "engine/extents.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "service/backup_rules.h"
#include "service/internal_tables.h"
#include "service/table_rules.h"

namespace dolmen::engine {
namespace {

/// How long a backup stays that DeleteTable makes.
constexpr std::chrono::days kSystemBackupLife{35};
constexpr int kBackupPageDefault = 100;

std::unexpected<Error> no_backup(std::string_view arn) {
  return fail(Code::kBackupNotFound, "Backup not found: {}", arn);
}

bool is_wanted(const backups::Backup& backup, const ListBackupsOptions& options) {
  if (options.of_table && backup.table.definition.name != *options.of_table) return false;
  if (options.from && backup.created < *options.from) return false;
  if (options.until && backup.created >= *options.until) return false;
  return options.all_types || backup.type == options.type.value_or(BackupType::kUser);
}

}  // namespace

std::vector<storage::KeptRange> rows_to_copy(const Table& table) {
  return {{.keyspace = keyspaces::kCatalogue},
          {.keyspace = keyspaces::kItems, .lower = first_key_of(table.id), .upper = first_key_of(table.id + 1)},
          {.keyspace = keyspaces::kCounters}};
}

BackupDetails Engine::details_of(const backups::Backup& backup, BackupStatus status) const {
  return {.arn = fmt::format("{}/backup/{}", arn_of(backup.table.definition.name), backup.id),
          .name = backup.name,
          .size_bytes = backup.extent.size_bytes,
          .status = status,
          .type = backup.type,
          .created = backup.created,
          .expires = backup.expires};
}

BackupDescription Engine::description_of(const backups::Backup& backup, BackupStatus status) const {
  return {.details = details_of(backup, status),
          .definition = backup.table.definition,
          .table_id = backup.table.uuid,
          .table_arn = arn_of(backup.table.definition.name),
          .table_created = backup.table.created,
          .extent = backup.extent};
}

Result<backups::Backup> Engine::find_backup(const std::string& arn) const {
  DOLMEN_TRY(const backups::BackupName name,
             backups::read_arn(arn, {.region = options_.region, .account = options_.account}));
  DOLMEN_TRY(std::optional<backups::Backup> backup, backups::find(*storage_, name.id));
  if (!backup || backup->table.definition.name != name.table) return no_backup(arn);
  return *std::move(backup);
}

Result<backups::Backup> Engine::make_backup(const CreateBackupRequest& request, BackupType type) {
  const std::shared_ptr<const Table> table = catalogue_->find(request.table);
  if (table == nullptr || is_internal_table(request.table)) return no_source_table(request.table);
  if (table->restore)
    return fail(Code::kContinuousBackupsUnavailable, "Backups are being enabled for the table: {}. Please retry later",
                request.table);
  DOLMEN_TRY(const std::vector<backups::Backup> others, backups::list(*storage_));
  if (others.size() >= backups::kBackupsMax)
    return fail(Code::kLimitExceeded, "Subscriber limit exceeded: There is a limit of {} backups",
                backups::kBackupsMax);
  backups::Backup backup{.name = request.name, .type = type, .created = now(), .table = {}, .extent = {}};
  const auto random = type == BackupType::kSystem ? 0U : static_cast<std::uint32_t>(options_.random->next_u64());
  const auto is_taken = [&] { return std::ranges::find(others, backup.id, &backups::Backup::id) != others.end(); };
  for (backup.id = backups::make_id(backup.created, random); is_taken();
       backup.id = backups::make_id(backup.created, random))
    backup.created += std::chrono::milliseconds(1);
  if (type == BackupType::kSystem) backup.expires = backup.created + kSystemBackupLife;
  DOLMEN_TRY_VOID(copies_.make(backup.id, rows_to_copy(*table)));
  Result<void> kept = keep_backup(backup, *table);
  copies_.close(backup.id);
  if (!kept) {
    copies_.remove(backup.id);
    return std::unexpected(std::move(kept).error());
  }
  return backup;
}

Result<void> Engine::keep_backup(backups::Backup& backup, const Table& table) {
  DOLMEN_TRY(const std::shared_ptr<const storage::Storage> copy, copies_.open(backup.id));
  // The table may have changed until the copy was made, or gone.
  DOLMEN_TRY(std::optional<Table> copied, Catalogue::stored(*copy, table.definition.name));
  if (!copied || copied->uuid != table.uuid) return no_source_table(table.definition.name);
  backup.table = *std::move(copied);
  DOLMEN_TRY(backup.extent, extents::read(*copy, table.id));
  storage::Batch batch;
  backups::put(batch, backup);
  return storage_->commit(std::move(batch));
}

void Engine::start(CreateBackup /*operation*/, CreateBackupRequest request, Done<BackupDetails> done) {
  const auto check = [&]() -> Result<void> {
    DOLMEN_TRY_VOID(check_backup_name(request.name));
    return check_table_name(request.table);
  };
  if (Result<void> checked = check(); !checked) return done(std::unexpected(std::move(checked).error()));
  queue<BackupDetails>(
      [this, request = std::move(request)]() -> Result<BackupDetails> {
        DOLMEN_TRY(const backups::Backup backup, make_backup(request, BackupType::kUser));
        // DynamoDB answers so, and that it is available a moment later.
        return details_of(backup, BackupStatus::kCreating);
      },
      std::move(done));
}

void Engine::start(DescribeBackup /*operation*/, DescribeBackupRequest request, Done<BackupDescription> done) {
  const Result<backups::Backup> backup = find_backup(request.arn);
  if (!backup) return done(std::unexpected(backup.error()));
  done(description_of(*backup, BackupStatus::kAvailable));
}

void Engine::start(ListBackups /*operation*/, ListBackupsOptions options, Done<BackupPage> done) {
  done(list_backups(options));
}

Result<BackupPage> Engine::list_backups(const ListBackupsOptions& options) const {
  DOLMEN_TRY_VOID(check_backup_list(options));
  std::string after;
  if (options.after) {
    DOLMEN_TRY(const backups::BackupName name,
               backups::read_arn(*options.after, {.region = options_.region, .account = options_.account}));
    if (split_arn(*options.after).region() != options_.region)
      return fail(Code::kValidation, "Invalid Request: The supplied ExclusiveStartBackupArn does not match the region");
    after = name.id;
  }
  DOLMEN_TRY(std::vector<backups::Backup> found, backups::list(*storage_, after));
  std::erase_if(found, [&](const backups::Backup& backup) { return !is_wanted(backup, options); });
  const auto limit = static_cast<std::size_t>(options.limit.value_or(kBackupPageDefault));
  BackupPage page;
  for (const backups::Backup& backup : found) {
    if (page.backups.size() == limit) {
      page.last_arn = page.backups.back().details.arn;
      break;
    }
    page.backups.push_back({.details = details_of(backup, BackupStatus::kAvailable),
                            .table = backup.table.definition.name,
                            .table_id = backup.table.uuid,
                            .table_arn = arn_of(backup.table.definition.name)});
  }
  return page;
}

void Engine::start(DeleteBackup /*operation*/, DeleteBackupRequest request, Done<BackupDescription> done) {
  queue<BackupDescription>([this, arn = std::move(request.arn)] { return delete_backup(arn); }, std::move(done));
}

Result<BackupDescription> Engine::delete_backup(const std::string& arn) {
  DOLMEN_TRY(const backups::Backup backup, find_backup(arn));
  if (backup.type == BackupType::kSystem)
    return fail(Code::kValidation,
                "Invalid Request: User is not allowed to delete the system backup with arn {}. It will automatically "
                "expire on {}",
                arn, backup.expires ? utc_seconds(*backup.expires) : "");
  DOLMEN_TRY(const std::vector<backups::Restore> restores, backups::list_restores(*storage_));
  if (std::ranges::find(restores, backup.id, &backups::Restore::copy) != restores.end())
    return fail(Code::kBackupInUse, "Backup is being used to restore table: {}", arn);
  DOLMEN_TRY_VOID(forget_backup(backup.id));
  return description_of(backup, BackupStatus::kDeleted);
}

Result<void> Engine::forget_backup(const std::string& id) {
  storage::Batch batch;
  backups::remove(batch, id);
  DOLMEN_TRY_VOID(storage_->commit(std::move(batch)));
  copies_.remove(id);
  return {};
}

Result<void> Engine::remove_expired_backups() {
  DOLMEN_TRY(const std::vector<backups::Backup> all, backups::list(*storage_));
  DOLMEN_TRY(const std::vector<backups::Restore> restores, backups::list_restores(*storage_));
  for (const backups::Backup& backup : all) {
    const bool used = std::ranges::find(restores, backup.id, &backups::Restore::copy) != restores.end();
    if (!used && backup.expires && *backup.expires <= now()) DOLMEN_TRY_VOID(forget_backup(backup.id));
  }
  return {};
}

std::string utc_seconds(TableTime time) {
  const Result<std::string> text = format_timestamp(Timestamp::from(time));
  if (!text) return std::to_string(time.time_since_epoch().count());
  return text->substr(0, std::string_view("2026-11-16T10:20:30").size()).append("Z");
}

}  // namespace dolmen::engine
