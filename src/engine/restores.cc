// RestoreTableFromBackup, RestoreTableToPointInTime, and how restores begin and end.
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>
#include <variant>

#include "base/arn.h"
#include "base/fail.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/history.h"
#include "engine/keyspaces.h"
#include "engine/restorer.h"
#include "engine/row_key.h"
#include "service/backup_rules.h"
#include "service/internal_tables.h"
#include "service/table_rules.h"
#include "service/wait.h"

namespace dolmen::engine {
namespace {

/// The definition of a table without the indexes that are being deleted.
TableDefinition live_definition(const Table& table) {
  TableDefinition definition = table.definition;
  std::erase_if(definition.global_indexes, [&](const IndexDefinition& index) {
    const Index* found = table.find_index(index.name);
    return found != nullptr && found->state == IndexState::kDeleting;
  });
  std::erase_if(definition.vector_indexes, [&](const VectorIndexDefinition& index) {
    const VectorIndex* found = table.find_vector_index(index.name);
    return found != nullptr && found->state == IndexState::kDeleting;
  });
  return definition;
}

/// Many clients send whole seconds. In the second in which the history begins they mean its beginning.
TableTime moment_meant(const History& history, TableTime time, TableTime now) {
  const TableTime first = history::earliest(history, now);
  const bool same_second =
      std::chrono::floor<std::chrono::seconds>(time) == std::chrono::floor<std::chrono::seconds>(first);
  return same_second ? std::max(time, first) : time;
}

Result<void> check_moment(const History& history, TableTime time, TableTime now) {
  const TableTime first = history::earliest(history, now);
  const TableTime last = std::max(history.since, now);
  if (time >= first && time <= last) return {};
  return fail(Code::kInvalidRestoreTime,
              "RestoreDateTime '{}' must be within EarliestRestorableDateTime '{}' and LatestRestorableDateTime '{}'",
              utc_seconds(time), utc_seconds(first), utc_seconds(last));
}

}  // namespace

Result<std::shared_ptr<const Table>> Engine::source_of(const std::string& name_or_arn) const {
  std::string name = name_or_arn;
  const bool by_arn = name_or_arn.starts_with("arn:");
  if (by_arn) {
    constexpr std::string_view kTable = "table/";
    const Arn arn = split_arn(name_or_arn);
    if (!arn.is_whole() || arn.service() != "dynamodb" || !arn.resource().starts_with(kTable) ||
        arn.resource().substr(kTable.size()).contains('/'))
      return fail(Code::kValidation, "sourceTableArn is not a valid ARN");
    if (arn.account() != options_.account)
      return fail(Code::kValidation,
                  "This action is only supported by accounts that match the resource owner\u2019s account.");
    if (arn.region() != options_.region) return fail(Code::kSourceTableNotFound, "Table not found");
    name = arn.resource().substr(kTable.size());
  }
  DOLMEN_TRY_VOID(check_table_name(name));
  std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table != nullptr && !table->restore && !is_internal_table(name)) return table;
  if (by_arn) return fail(Code::kSourceTableNotFound, "Table not found");
  return no_source_table(name);
}

Result<Engine::TableToRestore> Engine::table_to_restore(const Table& source, const std::string& target,
                                                        const RestoreOverrides& overrides) const {
  if (catalogue_->lacks_key(source)) return missing_key();
  TableToRestore table;
  DOLMEN_TRY(table.definition, restored_definition(live_definition(source), target, overrides));
  // A table that has only the name of a key keeps it.
  if (!overrides.encryption && !source.seal) return table;
  DOLMEN_TRY(table.plan,
             data_keys_.plan(overrides.encryption ? overrides.encryption->kms_key : table.definition.kms_key));
  table.definition.kms_key = table.plan.arn;
  return table;
}

Result<void> Engine::check_target(const std::string& name) const {
  const std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table == nullptr) return {};
  if (table->restore && table->restore->backup_arn)
    return fail(Code::kTargetTableInUse, "Table: {} is already being restored from backup: {}", name,
                *table->restore->backup_arn);
  return fail(Code::kTargetTableExists, "Table already exists: {}", name);
}

void Engine::start(RestoreTableToPointInTime /*operation*/, RestoreToPointInTime request, Done<TableDescription> done) {
  if (Result<void> checked = check_table_name(request.target); !checked)
    return done(std::unexpected(std::move(checked).error()));
  queue<TableDescription>([this, request = std::move(request)] { return restore_to_point_in_time(request); },
                          std::move(done));
}

Result<TableDescription> Engine::restore_to_point_in_time(const RestoreToPointInTime& request) {
  DOLMEN_TRY(const std::shared_ptr<const Table> source, source_of(request.source));
  const std::string& name = source->definition.name;
  if (!source->history)
    return fail(Code::kPointInTimeUnavailable, "Point in time recovery is not enabled for table '{}'", name);
  const TableTime time = moment_meant(*source->history, request.time.value_or(now()), now());
  DOLMEN_TRY_VOID(check_moment(*source->history, time, now()));
  DOLMEN_TRY(TableToRestore table, table_to_restore(*source, request.target, request.overrides));
  DOLMEN_TRY_VOID(check_target(request.target));
  backups::Restore restore{
      .target = request.target,
      .copy = "restore-" + backups::make_id(now(), static_cast<std::uint32_t>(options_.random->next_u64())),
      .owns_copy = true,
      .source_id = source->id,
      .history_id = source->history->id,
      .time = time};
  std::vector<storage::KeptRange> rows = rows_to_copy(*source);
  rows.push_back({.keyspace = keyspaces::kHistory,
                  .lower = first_key_of(restore.history_id),
                  .upper = first_key_of(restore.history_id + 1)});
  DOLMEN_TRY_VOID(copies_.make(restore.copy, rows));
  const auto begin = [&]() -> Result<TableDescription> {
    DOLMEN_TRY(const std::shared_ptr<const storage::Storage> copy, copies_.open(restore.copy));
    DOLMEN_TRY(const std::optional<Table> copied, Catalogue::stored(*copy, name));
    if (!copied || copied->uuid != source->uuid) return no_source_table(name);
    if (!copied->history || copied->history->id != restore.history_id)
      return fail(Code::kPointInTimeUnavailable, "Point in time recovery is not enabled for table '{}'", name);
    // What was in the period may have been removed until the copy was made.
    DOLMEN_TRY_VOID(check_moment(*copied->history, time, now()));
    return begin_restore(std::move(table), {.table_arn = arn_of(name), .time = time}, restore);
  };
  Result<TableDescription> begun = begin();
  if (!begun) copies_.remove(restore.copy);
  return begun;
}

void Engine::start(RestoreTableFromBackup /*operation*/, RestoreFromBackup request, Done<TableDescription> done) {
  if (Result<void> checked = check_table_name(request.target); !checked)
    return done(std::unexpected(std::move(checked).error()));
  queue<TableDescription>([this, request = std::move(request)] { return restore_from_backup(request); },
                          std::move(done));
}

Result<TableDescription> Engine::restore_from_backup(const RestoreFromBackup& request) {
  DOLMEN_TRY(const backups::Backup backup, find_backup(request.backup_arn));
  DOLMEN_TRY(TableToRestore table, table_to_restore(backup.table, request.target, request.overrides));
  DOLMEN_TRY_VOID(check_target(request.target));
  DOLMEN_TRY(const std::vector<backups::Restore> restores, backups::list_restores(*storage_));
  if (std::ranges::find(restores, backup.id, &backups::Restore::copy) != restores.end())
    return fail(Code::kBackupInUse, "Backup is being used to restore another table: {}", request.backup_arn);
  // Every file is looked at before anything is changed. The copy stays open for the restore.
  DOLMEN_TRY_VOID(copies_.open(backup.id));
  Result<TableDescription> begun =
      begin_restore(std::move(table),
                    {.backup_arn = details_of(backup, BackupStatus::kAvailable).arn,
                     .table_arn = arn_of(backup.table.definition.name),
                     .time = backup.created},
                    {.target = request.target, .copy = backup.id, .source_id = backup.table.id});
  if (!begun) copies_.close(backup.id);
  return begun;
}

Result<TableDescription> Engine::begin_restore(TableToRestore wanted, RestoreSummary summary,
                                               backups::Restore restore) {
  const LockRequest lock = LockTable::all_tables();
  // This thread waits, so that everything outlives the work.
  auto work = [&](storage::Batch& batch) -> Result<WritePipeline::Outcome<TableDescription>> {
    DOLMEN_TRY_VOID(check_target(restore.target));
    DOLMEN_TRY_VOID(check_table_count());
    DOLMEN_TRY(const std::vector<backups::Restore> others, backups::list_restores(*storage_));
    if (others.size() >= backups::kRestoresMax)
      return fail(Code::kLimitExceeded,
                  "Subscriber limit exceeded: Only {} restore operations can be done simultaneously",
                  backups::kRestoresMax);
    NewTable table{.uuid = random_uuid(*options_.random),
                   .created = now(),
                   .definition = std::move(wanted.definition),
                   .restore = std::move(summary)};
    DOLMEN_TRY(table.seal, new_seal(batch, wanted.plan, table.uuid));
    restore.target_uuid = table.uuid;
    DOLMEN_TRY(std::shared_ptr<const Table> created, catalogue_->prepare_create(*storage_, batch, std::move(table)));
    backups::put(batch, restore);
    TableDescription description = describe(*created, TableStatus::kCreating);
    return WritePipeline::Outcome<TableDescription>{
        std::move(description),
        [this, created = std::move(created)]() mutable { catalogue_->show(std::move(created)); }};
  };
  Result<TableDescription> begun = wait_for<TableDescription>([&](Done<TableDescription> done) {
    pipeline_.run<TableDescription>({&lock, 1}, std::move(work), std::move(done));
  });
  if (begun) restorer_->wake();
  return begun;
}

Result<void> Engine::finish_restore(const backups::Restore& restore) {
  auto activate = [&](Table& table, storage::Batch& batch) -> Result<void> {
    backups::forget(batch, restore);
    if (table.uuid == restore.target_uuid) table.restore.reset();
    return {};
  };
  DOLMEN_TRY_VOID(change_table_and_wait(restore.target, std::move(activate)));
  if (options_.log) options_.log(fmt::format("table {} is restored", restore.target));
  release_copy(restore);
  return {};
}

Result<void> Engine::abandon_restore(const backups::Restore& restore) {
  const LockRequest locks[] = {LockTable::all_tables(), pipeline_.locks().table(restore.target, LockMode::kExclusive)};
  auto work = [&](storage::Batch& batch) -> Result<WritePipeline::Outcome<std::monostate>> {
    backups::forget(batch, restore);
    const std::shared_ptr<const Table> table = catalogue_->find(restore.target);
    if (table == nullptr || table->uuid != restore.target_uuid || !table->restore)
      return WritePipeline::Outcome<std::monostate>{};
    DOLMEN_TRY_VOID(Catalogue::prepare_delete(*storage_, batch, *table, now()));
    return WritePipeline::Outcome<std::monostate>{{}, [this, name = restore.target] { catalogue_->hide(name); }};
  };
  DOLMEN_TRY_VOID(wait_for<std::monostate>(
      [&](Done<std::monostate> done) { pipeline_.run<std::monostate>(locks, std::move(work), std::move(done)); }));
  reclaimer_->wake();
  release_copy(restore);
  return {};
}

void Engine::release_copy(const backups::Restore& restore) {
  if (restore.owns_copy) {
    copies_.remove(restore.copy);
  } else {
    copies_.close(restore.copy);
  }
}

void Engine::start_restorer() {
  Restorer::Parts parts{.storage = *storage_,
                        .pipeline = pipeline_,
                        .catalogue = *catalogue_,
                        .clock = *options_.clock,
                        .copies = copies_,
                        .finish = [this](const backups::Restore& restore) { return finish_restore(restore); },
                        .abandon = [this](const backups::Restore& restore) { return abandon_restore(restore); },
                        .log = options_.log};
  const auto has_work = [this] {
    const std::vector<std::shared_ptr<const Table>> tables = catalogue_->all();
    return std::ranges::any_of(tables, [](const auto& table) { return table->restore.has_value(); });
  };
  restorer_.emplace(
      *storage_, BackgroundTask::Options{.name = "restoring tables", .log = options_.log, .has_work = has_work},
      [restorer = std::make_unique<Restorer>(std::move(parts))](const std::stop_token&) { return restorer->step(); });
}

Result<void> Engine::remove_lost_copies() {
  std::set<std::string> names;
  DOLMEN_TRY(const std::vector<backups::Backup> all, backups::list(*storage_));
  for (const backups::Backup& backup : all) names.insert(backup.id);
  DOLMEN_TRY(const std::vector<backups::Restore> restores, backups::list_restores(*storage_));
  for (const backups::Restore& restore : restores) names.insert(restore.copy);
  DOLMEN_TRY(const std::vector<transfers::ExportJob> exports, transfers::list<transfers::ExportJob>(*storage_));
  for (const transfers::ExportJob& job : exports) names.insert(job.copy);
  copies_.remove_all_except(names);
  return {};
}

}  // namespace dolmen::engine
