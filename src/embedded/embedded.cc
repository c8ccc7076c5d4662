#include "embedded/embedded.h"

#include <fmt/format.h>
#include <mutex>

#include "base/boot.h"
#include "base/clock.h"
#include "base/fail.h"
#include "contract/contracts.h"
#include "embedded/log_inspection.h"
#include "embedded/table_key_file.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "faults/faulty_service.h"
#include "faults/throttled_service.h"
#include "objects/bucket_folders.h"
#include "schema/log_note.h"
#include "schema/registry.h"
#include "service/store_backups.h"
#include "service/store_check.h"
#include "service/store_monitor.h"
#include "service/store_upkeep.h"
#include "service/table_insights.h"
#include "service/vector_statistics.h"
#include "service/write_gate.h"
#include "storage/fork.h"
#include "storage/store_backups.h"
#include "store/store_forks.h"

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

/// Fills a store that is being opened, before anything reads it.
using Fill = std::function<Result<void>(storage::Storage& empty)>;

Result<std::unique_ptr<Store>> open_filled(const EmbeddedOptions& options, const StartOptions& start, const Fill& fill);

class ForksOfStorage final : public StoreForks, public StoreForker {
 public:
  ForksOfStorage(storage::Storage& storage, EmbeddedOptions options)
      : storage_(storage), options_(std::move(options)) {}

  Result<std::unique_ptr<Store>> fork(const std::string& directory) override {
    return fork_with({.directory = directory, .now = options_.now});
  }

  Result<std::unique_ptr<Store>> fork_with(const Options& fork) override {
    const bool in_memory = options_.durability == Durability::kMemory;
    if (in_memory != fork.directory.empty())
      return fail(Code::kInvalidArgument, "{}",
                  in_memory ? "a fork of a store in memory is in memory, and has no directory"
                            : "a fork of a store on disk needs a directory of its own");
    EmbeddedOptions options = options_;
    options.directory = fork.directory;
    options.now = fork.now;
    // A lab belongs to one store.
    options.faults = fork.faults;
    if (in_memory)
      return open_filled(options, {}, [this](storage::Storage& empty) { return storage_.copy_rows_to(empty); });
    DOLMEN_TRY_VOID(storage_.fork(fork.directory));
    return open_embedded_store(options);
  }

 private:
  storage::Storage& storage_;
  EmbeddedOptions options_;
};

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

/// What other parts of Dolmen find in a store beside its operations.
detail::Companions companions_of(engine::Engine& engine, storage::Storage& storage, const EmbeddedOptions& options) {
  detail::Companions companions;
  // Live as long as the service, which the store owns.
  const auto part_of_engine = [&]<class T>(std::type_identity<T>) {
    companions.add(std::shared_ptr<T>(std::shared_ptr<void>(), &engine));
  };
  part_of_engine(std::type_identity<WriteGates>{});
  part_of_engine(std::type_identity<StoreMonitor>{});
  part_of_engine(std::type_identity<StoreUpkeep>{});
  part_of_engine(std::type_identity<TableInsights>{});
  part_of_engine(std::type_identity<VectorStatistics>{});
  part_of_engine(std::type_identity<StoreCheck>{});
  part_of_engine(std::type_identity<Moments>{});
  companions.add(std::shared_ptr<StoreBackups>(std::make_shared<BackupsOfStorage>(storage)));
  auto forks = std::make_shared<ForksOfStorage>(storage, options);
  companions.add(std::shared_ptr<StoreForks>(forks));
  companions.add(std::shared_ptr<StoreForker>(std::move(forks)));
  return companions;
}

/// A clock that a test moves moves everything.
engine::TokenClock::Even even_time_of(const EmbeddedOptions& options) {
  if (options.now) return {};
  return {.since_boot = time_since_boot, .boot = boot_name()};
}

/// A store in memory has no files.
std::filesystem::path kinesis_directory_of(const EmbeddedOptions& options) {
  return options.durability == Durability::kMemory ? std::filesystem::path()
                                                   : std::filesystem::path(options.directory) / "kinesis";
}

std::filesystem::path import_log_directory_of(const EmbeddedOptions& options) {
  return options.durability == Durability::kMemory ? std::filesystem::path()
                                                   : std::filesystem::path(options.directory) / "imports";
}

Result<std::unique_ptr<Store>> open_filled(const EmbeddedOptions& options, const StartOptions& start,
                                           const Fill& fill) {
  RecoveryReport report;
  std::shared_ptr<Buckets> buckets = start.buckets;
  if (!buckets && !options.buckets.empty()) {
    DOLMEN_TRY(buckets, open_bucket_folders(options.buckets));
  }
  std::shared_ptr<engine::TableKeys> table_keys;
  if (!options.table_keys.empty()) {
    DOLMEN_TRY(table_keys, open_table_keys(options.table_keys, options.log));
  }
  std::shared_ptr<schema::Registry> schemas;
  storage::Options storage_options{.directory = options.directory,
                                   .durability = options.durability,
                                   .keyspaces = engine::keyspaces::names(),
                                   .prefix_bytes = engine::kRowPartitionAt,
                                   .cached_keyspace = engine::keyspaces::kItems,
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
  if (fill) DOLMEN_TRY_VOID(fill(*storage));
  auto clock = std::make_shared<GivenClock>(options.now);
  storage::Storage& opened = *storage;
  DOLMEN_TRY(std::unique_ptr<engine::Engine> service,
             engine::Engine::open(std::move(storage),
                                  {.clock = clock.get(),
                                   .even_time = even_time_of(options),
                                   .region = options.region,
                                   .log = options.log,
                                   .tables_max = options.tables_max,
                                   .refuse_conflicts = options.transactions == TransactionConflicts::kRefuse,
                                   .vector_index_phase = options.vector_index_phase,
                                   .kinesis_directory = kinesis_directory_of(options),
                                   .buckets = std::move(buckets),
                                   .import_log_directory = import_log_directory_of(options),
                                   .table_keys = std::move(table_keys)}));
  detail::Companions companions = companions_of(*service, opened, options);
  if (schemas) companions.add(std::move(schemas));
  // The engine uses it to its end.
  companions.add(std::move(clock));
  auto store = std::make_unique<Store>(disturbed(std::move(service), options), std::move(companions));
  DOLMEN_TRY_VOID(contract::Contracts(*store, start.warn).load());
  if (start.report != nullptr) *start.report = std::move(report);
  return store;
}

}  // namespace

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
  return open_filled(options, start, {});
}

Result<void> fork_directory(const std::string& from, const std::string& to) {
  return storage::fork_directory(from, to);
}

Result<std::unique_ptr<Store>> open_embedded(const EmbeddedOptions& options) { return open_embedded_store(options); }

}  // namespace dolmen
