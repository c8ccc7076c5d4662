#include "embedded/embedded.h"

#include <fmt/format.h>
#include <mutex>

#include "base/fail.h"
#include "contract/contracts.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "faults/faulty_service.h"
#include "faults/throttled_service.h"
#include "schema/log_note.h"
#include "schema/registry.h"
#include "service/store_backups.h"
#include "service/store_monitor.h"
#include "service/table_insights.h"
#include "service/vector_statistics.h"
#include "service/write_gate.h"
#include "storage/store_backups.h"

namespace dolmen {
namespace {

class BackupsOfStorage final : public StoreBackups {
 public:
  explicit BackupsOfStorage(storage::Storage& storage) : storage_(storage) {}

  Result<StoreBackupMade> back_up(const std::string& folder) override {
    const std::lock_guard lock(backup_mutex_);
    DOLMEN_TRY(const storage::BackupFolder backups, storage::BackupFolder::open(folder));
    DOLMEN_TRY(const storage::StoreBackup made, backups.create(storage_));
    return StoreBackupMade{.id = made.id, .files = made.files, .bytes = made.bytes, .new_bytes = made.new_bytes};
  }

 private:
  storage::Storage& storage_;
  std::mutex backup_mutex_;  // one backup at a time
};

/// Checks that the schemas that a log record names are published.
Result<void> inspect_note(std::string_view bytes, const schema::Registry& schemas, RecoveryReport& report) {
  DOLMEN_TRY(const std::vector<SchemaRef> refs, schema::read_log_note(bytes));
  if (refs.empty()) return {};
  ++report.log_notes;
  for (const SchemaRef& ref : refs)
    if (schemas.find(ref) == nullptr)
      return fail(
          Code::kCorruption,
          "the log has documents of {}, whose schema file is missing. Restore metadata/schemas and the file SCHEMAS, "
          "for example from a backup",
          to_string(ref));
  return {};
}

/// The engine behind what the options ask for.
std::unique_ptr<Service> disturbed(std::unique_ptr<engine::Engine> engine, const EmbeddedOptions& options) {
  Moments* const moments = engine.get();
  std::unique_ptr<Service> service = std::move(engine);
  if (options.throttling == Throttling::kProvisioned)
    service = std::make_unique<faults::ThrottledService>(std::move(service), options.throttling_clock);
  if (options.faults)
    service = std::make_unique<faults::FaultyService>(
        std::move(service), faults::FaultyService::Options{.lab = options.faults, .moments = moments});
  return service;
}

/// A store in memory has no files.
std::filesystem::path kinesis_directory_of(const EmbeddedOptions& options) {
  return options.durability == Durability::kMemory ? std::filesystem::path()
                                                   : std::filesystem::path(options.directory) / "kinesis";
}

}  // namespace

std::vector<std::string> lines_of(const RecoveryReport& report) {
  std::vector<std::string> lines = report.publications;
  if (report.log_records > 0)
    lines.push_back(fmt::format("applied {} records of the log, {} of them writes of documents", report.log_records,
                                report.log_notes));
  if (report.torn_bytes > 0)
    lines.push_back(fmt::format("the log ended in {} bytes of a record that was never acknowledged; they are dropped",
                                report.torn_bytes));
  return lines;
}

Result<std::unique_ptr<Store>> open_embedded_store(const EmbeddedOptions& options, const StartOptions& start) {
  RecoveryReport report;
  std::shared_ptr<schema::Registry> schemas;
  storage::Options storage_options{.directory = options.directory,
                                   .durability = options.durability,
                                   .keyspaces = engine::keyspaces::names(),
                                   .queued_bytes_max = start.commit_queue_bytes_max,
                                   .verified_keyspaces = engine::keyspaces::verified(),
                                   .counts_blocks = start.counts_blocks,
                                   .on_write_failure = start.on_write_failure,
                                   .faults = start.faults};
  storage_options.inspect_directory = [&](const std::filesystem::path& directory) -> Result<void> {
    DOLMEN_TRY(schemas, schema::Registry::load(directory, start.before_schema_step));
    return {};
  };
  storage_options.inspect_log = [&](std::string_view bytes) { return inspect_note(bytes, *schemas, report); };
  DOLMEN_TRY(std::unique_ptr<storage::Storage> storage, storage::Storage::open(storage_options));
  report.log_records = storage->recovery().log_records;
  report.torn_bytes = storage->recovery().torn_bytes;
  if (schemas) {
    DOLMEN_TRY(report.publications, schemas->repair());
    report.schemas = schemas->list().size();
  }
  // Lives as long as the service, which the store owns.
  auto backups = std::make_shared<BackupsOfStorage>(*storage);
  DOLMEN_TRY(std::unique_ptr<engine::Engine> service,
             engine::Engine::open(std::move(storage),
                                  {.region = options.region,
                                   .log = options.log,
                                   .refuse_conflicts = options.transactions == TransactionConflicts::kRefuse,
                                   .vector_index_phase = options.vector_index_phase,
                                   .kinesis_directory = kinesis_directory_of(options)}));
  detail::Companions companions;
  // Lives as long as the service, which the store owns.
  companions.add(std::shared_ptr<WriteGates>(std::shared_ptr<void>(), service.get()));
  companions.add(std::shared_ptr<StoreMonitor>(std::shared_ptr<void>(), service.get()));
  companions.add(std::shared_ptr<StoreBackups>(std::move(backups)));
  companions.add(std::shared_ptr<TableInsights>(std::shared_ptr<void>(), service.get()));
  companions.add(std::shared_ptr<VectorStatistics>(std::shared_ptr<void>(), service.get()));
  if (schemas) companions.add(std::move(schemas));
  companions.add(std::shared_ptr<Moments>(std::shared_ptr<void>(), service.get()));
  auto store = std::make_unique<Store>(disturbed(std::move(service), options), std::move(companions));
  DOLMEN_TRY_VOID(contract::Contracts(*store, start.warn).load());
  if (start.report != nullptr) *start.report = std::move(report);
  return store;
}

Result<std::unique_ptr<Store>> open_embedded(const EmbeddedOptions& options) { return open_embedded_store(options); }

}  // namespace dolmen
