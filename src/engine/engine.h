#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/limits.h"
#include "base/metrics.h"
#include "base/random.h"
#include "engine/background_task.h"
#include "engine/backup_rows.h"
#include "engine/catalogue.h"
#include "engine/conflicts.h"
#include "engine/data_keys.h"
#include "engine/expirer.h"
#include "engine/item_walk.h"
#include "engine/item_write.h"
#include "engine/kinesis_forwarder.h"
#include "engine/statements.h"
#include "engine/stream_log.h"
#include "engine/table_copies.h"
#include "engine/token_clock.h"
#include "engine/transfer_rows.h"
#include "engine/work_queue.h"
#include "engine/write_pipeline.h"
#include "objects/object_store.h"
#include "service/moment.h"
#include "service/service.h"
#include "service/store_check.h"
#include "service/store_monitor.h"
#include "service/store_upkeep.h"
#include "service/table_insights.h"
#include "service/vector_statistics.h"
#include "service/write_gate.h"
#include "storage/storage.h"

namespace dolmen::engine {

class VectorPartition;
struct GraphOptions;

struct EngineOptions {
  const Clock* clock = &system_clock();
  /// By which client tokens are forgotten; without it, `clock` is.
  TokenClock::Even even_time = {};
  Random* random = &system_random();
  /// Part of the ARNs of tables.
  std::string region = "us-east-1";
  std::string account = "000000000000";
  /// Receives lines for the operator, from any thread. It must not block.
  std::function<void(std::string line)> log = {};
  /// How many tables there may be.
  std::size_t tables_max = limits::kTablesPerAccount;
  /// Refuses requests that meet a transaction, as AWS does, instead of letting them wait (conflicts.h).
  bool refuse_conflicts = false;
  /// How long a vector index that is added to a table is being allocated, and then filled at the least, as on AWS. For
  /// tests of programs that look at these phases.
  std::chrono::milliseconds vector_index_phase{0};
  /// From how many vectors with one HASH value on a graph is built. Zero: as the room `vector` has measured it.
  std::size_t vector_graph_rows_min = 0;
  /// Where the records of Kinesis destinations go (kinesis_forwarder.h). Empty: there can be no destinations.
  std::filesystem::path kinesis_directory = {};
  /// Where exports and imports are; null: nowhere.
  std::shared_ptr<Buckets> buckets = nullptr;
  /// Where imports log records that are not items (importer.h). Empty: nowhere.
  std::filesystem::path import_log_directory = {};
  /// The keys of customers that encrypt tables; null: there are none.
  std::shared_ptr<TableKeys> table_keys = nullptr;
};

/// "Table not found: T", as operations on backups, points in time and exports say it.
std::unexpected<Error> no_source_table(std::string_view name);
/// A moment in messages: 2026-11-16T10:20:30Z.
std::string utc_seconds(TableTime time);
/// What a copy of a table must have, besides its history.
std::vector<storage::KeptRange> rows_to_copy(const Table& table);

/// DynamoDB on one directory. Reads are strongly consistent and take no locks.
class Engine final : public Service,
                     public WriteGates,
                     public StoreMonitor,
                     public StoreUpkeep,
                     public Moments,
                     public TableInsights,
                     public VectorStatistics,
                     public StoreCheck {
 public:
  /// The storage must have been opened with the keyspaces of engine/keyspaces.h.
  static Result<std::unique_ptr<Engine>> open(std::unique_ptr<storage::Storage> storage, EngineOptions options = {});

  /// Completes the writes in progress.
  ~Engine() override;

  void start(CreateTable, TableDefinition definition, Done<TableDescription> done) override;
  void start(DescribeTable, DescribeTableRequest request, Done<TableDescription> done) override;
  void start(DeleteTable, DeleteTableRequest request, Done<TableDescription> done) override;
  void start(ListTableNames, ListTablesRequest request, Done<TableNamePage> done) override;

  void start(PutItem, WriteRequest request, Done<WriteResponse> done) override;
  void start(UpdateItem, WriteRequest request, Done<WriteResponse> done) override;
  void start(DeleteItem, WriteRequest request, Done<WriteResponse> done) override;
  void start(GetItem, GetItemRequest request, Done<GetItemResponse> done) override;
  void start(Query, ReadManyRequest request, Done<ReadManyResponse> done) override;
  void start(Scan, ReadManyRequest request, Done<ReadManyResponse> done) override;

  void start(BatchGetItem, BatchGetRequest request, Done<BatchGetResponse> done) override;
  void start(BatchWriteItem, BatchWriteRequest request, Done<BatchWriteResponse> done) override;
  void start(TransactWriteItems, TransactWriteRequest request, Done<TransactWriteResponse> done) override;
  void start(TransactGetItems, TransactGetRequest request, Done<TransactGetResponse> done) override;

  // Vectors.
  void start(SearchVectors, SearchVectorsRequest request, Done<SearchVectorsResponse> done) override;
  [[nodiscard]] Result<VectorIndexStatistics> vector_statistics(const std::string& table, const std::string& index,
                                                                std::size_t sample) override;
  /// Waits until no graph of a vector index has work to do. For tests.
  void finish_graphs() { graph_builder_->wait_until_idle(); }

  // Statements.
  void start(ExecuteStatement, ExecuteStatementRequest request, Done<ExecuteStatementResponse> done) override;
  void start(BatchExecuteStatement, BatchExecuteRequest request, Done<BatchExecuteResponse> done) override;
  void start(ExecuteTransaction, ExecuteTransactionRequest request, Done<ExecuteTransactionResponse> done) override;

  // Changing tables.
  void start(UpdateTable, TableUpdate update, Done<TableDescription> done) override;

  // Time to live.
  void start(UpdateTimeToLive, UpdateTimeToLiveRequest request, Done<TimeToLiveChange> done) override;
  void start(DescribeTimeToLive, DescribeTimeToLiveRequest request, Done<TimeToLive> done) override;
  void finish_expiry() override;
  /// Waits until the changes so far are in the files of Kinesis destinations, or until that fails. For tests.
  void finish_kinesis();

  // Tags.
  void start(TagResource, TagResourceRequest request, Done<TagsChanged> done) override;
  void start(UntagResource, UntagResourceRequest request, Done<TagsChanged> done) override;
  void start(ListTagsOfResource, ListTagsOfResourceRequest request, Done<ListTagsOfResourceResponse> done) override;

  // Streams.
  void start(ListStreams, ListStreamsRequest request, Done<StreamPage> done) override;
  void start(DescribeStream, DescribeStreamRequest request, Done<StreamDescription> done) override;
  void start(GetShardIterator, GetShardIteratorRequest request, Done<ShardIterator> done) override;
  void start(GetRecords, GetRecordsRequest request, Done<GetRecordsResponse> done) override;

  // Backups and points in time.
  void start(UpdateContinuousBackups, UpdateContinuousBackupsRequest request, Done<ContinuousBackups> done) override;
  void start(DescribeContinuousBackups, DescribeContinuousBackupsRequest request,
             Done<ContinuousBackups> done) override;
  void start(RestoreTableToPointInTime, RestoreToPointInTime request, Done<TableDescription> done) override;
  void start(CreateBackup, CreateBackupRequest request, Done<BackupDetails> done) override;
  void start(DescribeBackup, DescribeBackupRequest request, Done<BackupDescription> done) override;
  void start(ListBackups, ListBackupsOptions options, Done<BackupPage> done) override;
  void start(DeleteBackup, DeleteBackupRequest request, Done<BackupDescription> done) override;
  void start(RestoreTableFromBackup, RestoreFromBackup request, Done<TableDescription> done) override;

  // The account.
  void start(DescribeLimits, DescribeLimitsRequest request, Done<AccountLimits> done) override;
  void start(DescribeEndpoints, DescribeEndpointsRequest request, Done<EndpointList> done) override;

  // Resource policies.
  void start(PutResourcePolicy, PutResourcePolicyRequest request, Done<PolicyRevision> done) override;
  void start(GetResourcePolicy, GetResourcePolicyRequest request, Done<ResourcePolicy> done) override;
  void start(DeleteResourcePolicy, DeleteResourcePolicyRequest request, Done<PolicyRevision> done) override;

  // Contributor Insights.
  void start(UpdateContributorInsights, UpdateContributorInsightsRequest request,
             Done<ContributorInsights> done) override;
  void start(DescribeContributorInsights, DescribeContributorInsightsRequest request,
             Done<ContributorInsights> done) override;
  void start(ListContributorInsights, ListContributorInsightsRequest request,
             Done<ContributorInsightsPage> done) override;

  // Kinesis destinations.
  void start(EnableKinesisStreamingDestination, KinesisDestinationRequest request,
             Done<KinesisDestinationChange> done) override;
  void start(DisableKinesisStreamingDestination, KinesisDestinationRequest request,
             Done<KinesisDestinationChange> done) override;
  void start(UpdateKinesisStreamingDestination, KinesisDestinationRequest request,
             Done<KinesisDestinationChange> done) override;
  void start(DescribeKinesisStreamingDestination, DescribeKinesisDestinationsRequest request,
             Done<KinesisDestinations> done) override;

  // Global tables and their auto scaling.
  void start(CreateGlobalTable, GlobalTableRequest request, Done<GlobalTableResponse> done) override;
  void start(DescribeGlobalTable, GlobalTableRequest request, Done<GlobalTableResponse> done) override;
  void start(DescribeGlobalTableSettings, GlobalTableRequest request, Done<GlobalTableResponse> done) override;
  void start(ListGlobalTables, GlobalTableRequest request, Done<GlobalTableResponse> done) override;
  void start(UpdateGlobalTable, GlobalTableRequest request, Done<GlobalTableResponse> done) override;
  void start(UpdateGlobalTableSettings, GlobalTableRequest request, Done<GlobalTableResponse> done) override;
  void start(DescribeTableReplicaAutoScaling, GlobalTableRequest request, Done<GlobalTableResponse> done) override;
  void start(UpdateTableReplicaAutoScaling, GlobalTableRequest request, Done<GlobalTableResponse> done) override;

  // Exports, imports and bulk operations.
  void start(ExportTableToPointInTime, ExportTableRequest request, Done<ExportDescription> done) override;
  void start(DescribeExport, DescribeExportRequest request, Done<ExportDescription> done) override;
  void start(ListExports, ListExportsRequest request, Done<ExportPage> done) override;
  void start(ImportTable, ImportTableRequest request, Done<ImportDescription> done) override;
  void start(DescribeImport, DescribeImportRequest request, Done<ImportDescription> done) override;
  void start(ListImports, ListImportsRequest request, Done<ImportPage> done) override;
  void start(StartBulkPutItems, BulkPutRequest request, Done<BulkOperationDescription> done) override;
  void start(DescribeBulkOperation, DescribeBulkOperationRequest request, Done<BulkOperationDescription> done) override;
  void start(CancelBulkOperation, CancelBulkOperationRequest request, Done<BulkOperationDescription> done) override;
  void start(ListBulkOperations, ListBulkOperationsRequest request, Done<BulkOperationPage> done) override;

  [[nodiscard]] Result<TopKeys> top_keys(const std::string& table,
                                         const std::optional<std::string>& index) const override;
  [[nodiscard]] std::shared_ptr<const std::string> policy_of(std::string_view table,
                                                             const std::string& stream_label) const override;

  /// Operations that have started are not interrupted, because nothing in an engine waits for long.
  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override;

  [[nodiscard]] std::shared_ptr<const Moment> this_moment() override;

  void change_gate(GateChange change, Done<void> done) override;
  void gate_of(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) override;

  void describe(metrics::Report& report) const override;
  [[nodiscard]] std::optional<Error> write_failure() const override;

  Result<StoreCheckReport> check_store(const StoreCheck::Progress& progress) override;

 private:
  Engine(std::unique_ptr<storage::Storage> storage, std::unique_ptr<Catalogue> catalogue, EngineOptions options);

  // Tables.
  Result<std::shared_ptr<const Table>> table_for_items(const std::string& name) const;
  /// Fails with kLimitExceeded when there may not be another one.
  Result<void> check_table_count() const;
  /// Changes a copy of a table and adds what else belongs to the change to the batch. A failure changes nothing.
  using TableChange = std::move_only_function<Result<void>(Table& table, storage::Batch& batch)>;
  /// Who changes a table: nobody but the engine itself changes one that is being restored.
  enum class Changer : std::uint8_t { kRequest, kEngine };
  /// Replaces a table by a changed one, while nothing writes to it. Fails with kTableNotFound, kTableInUse.
  void change_table(const std::string& name, TableChange change, Done<std::shared_ptr<const Table>> done,
                    Changer changer = Changer::kRequest);
  /// The same for a thread in the background. A table that is gone needs no change.
  Result<void> change_table_and_wait(const std::string& table, TableChange change);
  [[nodiscard]] TableTime now() const;
  [[nodiscard]] std::string arn_of(std::string_view table) const;
  [[nodiscard]] TableDescription describe(const Table& table, TableStatus status) const;
  Result<void> measure(const Table& table, TableDescription& description) const;

  // Encryption.
  /// A data key for a new table; nothing when it is not to be encrypted.
  Result<std::optional<TableSeal>> new_seal(storage::Batch& batch, const DataKeys::Plan& plan,
                                            const std::string& table_uuid);
  /// Makes a table encrypted by another key, or begins or ends its encryption.
  Result<void> change_encryption(Table& table, const DataKeys::Plan& plan, storage::Batch& batch);
  void describe_encryption(const Table& table, TableDescription& description) const;
  void start_sealing();
  Result<void> finish_sealing(const Table& table);

  // Time to live.
  void start_expiry();
  [[nodiscard]] std::shared_ptr<const Table> table_to_build_expiry_of() const;
  Result<BackgroundTask::Next> build_expiry();
  Result<void> end_building_expiry(const Table& built);

  // Tags.
  using TagMap = std::map<std::string, std::string>;
  void change_tags(const std::string& arn, std::move_only_function<Result<void>(TagMap& tags)> change,
                   Done<TagsChanged> done);

  // Resource policies.
  /// The table of a policy, and the label of the stream if it is that of a stream.
  struct PolicyPlace {
    std::string table;
    std::string stream;
  };
  [[nodiscard]] Result<PolicyPlace> place_of_policy(const std::string& arn) const;
  void change_policy(const std::string& arn,
                     std::move_only_function<Result<PolicyRevision>(Table&, const PolicyPlace&)>,
                     Done<PolicyRevision> done);

  // Kinesis destinations.
  void start_kinesis();
  void change_kinesis(
      KinesisDestinationRequest request,
      std::move_only_function<Result<KinesisStatus>(Table&, storage::Batch&, const KinesisDestinationRequest&)>,
      Done<KinesisDestinationChange> done);

  // Reading.
  /// How one of several items is read.
  struct ItemReading {
    const storage::Snapshot* snapshot = nullptr;
    ReadTrace* trace = nullptr;
    /// Transactions cost twice as much.
    double cost = 1;
  };
  /// Sets `whole_bytes`, if given, to the size of the whole item, even when only a part is returned.
  Result<GetItemResponse> read_item(const GetItemRequest& request, const ItemReading& reading,
                                    std::size_t* whole_bytes = nullptr) const;
  Result<void> check_batch(const BatchGetRequest& request) const;
  Result<BatchGetResponse> read_batch(const BatchGetRequest& request) const;
  Result<TransactGetResponse> read_together(const TransactGetRequest& request) const;
  /// The keys of the rows that are read, of tables that exist.
  [[nodiscard]] std::vector<std::string> row_keys_of(const BatchGetRequest& request) const;
  [[nodiscard]] std::vector<std::string> row_keys_of(const TransactGetRequest& request) const;
  /// Refuses a transaction of reads that meets a write, if this engine refuses conflicts.
  Result<void> check_read_conflicts(const TransactGetRequest& request) const;

  // Statements.
  /// Reads and checks a statement, and finds its table.
  Result<OpenStatement> open_statement(const StatementRequest& request, partiql::Place place) const;
  /// Here or elsewhere.
  void read_statement(OpenStatement opened, ExecuteStatementRequest request, Done<ExecuteStatementResponse> done);
  Result<ExecuteStatementResponse> read_statement_here(const OpenStatement& opened,
                                                       const ExecuteStatementRequest& request) const;
  Result<ExecuteStatementResponse> read_steps(const OpenStatement& opened, const partiql::ReadPlan& plan,
                                              const ExecuteStatementRequest& request) const;
  BatchMember open_member(const StatementRequest& request, ReturnCapacity capacity) const;
  void execute_batch(BatchExecuteRequest request, Done<BatchExecuteResponse> done);
  Result<BatchExecuteResponse> read_members(const std::vector<BatchMember>& members, ReadTrace* trace) const;
  StatementOutcome read_member(const BatchMember& member, ReadTrace* trace,
                               std::vector<ConsumedCapacity>& capacity) const;
  /// What a write of a batch has consumed that was refused by what it found.
  [[nodiscard]] double attempted_units(const WriteRequest& request) const;
  Result<TransactionMember> open_transaction_member(const StatementRequest& request) const;
  void execute_transaction(ExecuteTransactionRequest request, Done<ExecuteTransactionResponse> done);
  Result<ExecuteTransactionResponse> read_transaction(const std::vector<TransactionMember>& members,
                                                      const ExecuteTransactionRequest& request) const;
  void write_transaction(std::vector<TransactionMember> members, const ExecuteTransactionRequest& request,
                         Done<ExecuteTransactionResponse> done);

  // Writing.
  void write(WriteRequest request, Done<WriteResponse> done);
  /// Everything that a write needs before it takes its lock.
  Result<ItemWrite> prepare_write(WriteRequest request) const;
  void run_write(ItemWrite write, Done<WriteResponse> done);
  /// Reads the expressions of all requests, then finds the tables of all.
  Result<std::vector<ItemWrite>> prepare_writes(std::vector<WriteRequest> requests) const;
  /// Called once the locks of a write are held. The table may have changed while the write waited for them: then the
  /// write is checked against the table as it is now. Fails when the table was deleted.
  Result<void> settle(ItemWrite& write) const;
  [[nodiscard]] std::vector<LockRequest> locks_of(std::span<const ItemWrite> writes) const;
  /// The keys of those writes that can conflict: nothing conflicts in internal tables.
  static std::vector<std::string> keys_of(std::span<const ItemWrite> writes);
  /// Refuses a transaction that meets another, if this engine refuses conflicts. Otherwise it is under way until `done`
  /// is called.
  Result<void> enter_transaction(std::span<const ItemWrite> writes, const std::optional<std::string>& token,
                                 Done<TransactWriteResponse>& done);
  /// Takes out the writes of a batch that meet a transaction. Returns the positions of those that are left out.
  std::vector<std::size_t> enter_batch(std::vector<ItemWrite>& writes, Done<BatchWriteResponse>& done);
  /// Adds to `item_bytes` the size by which each action is charged.
  Result<TransactWriteResponse> decide_all(std::span<ItemWrite> writes, storage::Batch& batch, bool metrics,
                                           std::vector<std::uint64_t>& item_bytes);
  /// The response to a transaction that was carried out before; it consumes the capacity of reading items of the sizes
  /// that it was charged for.
  static TransactWriteResponse repeated(std::span<const ItemWrite> writes, std::span<const std::uint64_t> item_bytes);

  // Backups and points in time.
  /// Carries out `work` on the thread of the queue. Fails with kLimitExceeded.
  template <class Response, class Work>
  void queue(Work work, Done<Response> done);
  void delete_now(const std::string& name, Done<TableDescription> done);
  /// Makes the backup by which a deleted table with a history can be restored, then deletes it.
  void back_up_and_delete(const std::string& name, Done<TableDescription> done);
  [[nodiscard]] BackupDetails details_of(const backups::Backup& backup, BackupStatus status) const;
  [[nodiscard]] BackupDescription description_of(const backups::Backup& backup, BackupStatus status) const;
  Result<backups::Backup> find_backup(const std::string& arn) const;
  Result<backups::Backup> make_backup(const CreateBackupRequest& request, BackupType type);
  /// Completes a backup by what its copy holds.
  Result<void> keep_backup(backups::Backup& backup, const Table& table);
  Result<BackupPage> list_backups(const ListBackupsOptions& options) const;
  Result<BackupDescription> delete_backup(const std::string& arn);
  Result<void> forget_backup(const std::string& id);
  Result<void> remove_expired_backups();
  Result<std::shared_ptr<const Table>> source_of(const std::string& name_or_arn) const;
  /// A table that a restore makes.
  struct TableToRestore {
    TableDefinition definition = {};
    DataKeys::Plan plan = {};
  };
  Result<TableToRestore> table_to_restore(const Table& source, const std::string& target,
                                          const RestoreOverrides& overrides) const;
  Result<void> check_target(const std::string& name) const;
  Result<TableDescription> restore_to_point_in_time(const RestoreToPointInTime& request);
  Result<TableDescription> restore_from_backup(const RestoreFromBackup& request);
  Result<TableDescription> begin_restore(TableToRestore wanted, RestoreSummary summary, backups::Restore restore);
  Result<void> finish_restore(const backups::Restore& restore);
  Result<void> abandon_restore(const backups::Restore& restore);
  void release_copy(const backups::Restore& restore);
  /// Removes the copies that a crash has left.
  Result<void> remove_lost_copies();
  void start_restorer();
  Result<BackgroundTask::Next> trim_history(const std::stop_token& stop);

  // Exports, imports and bulk operations.
  Result<std::shared_ptr<const Table>> table_to_export(const std::string& arn) const;
  Result<ExportDescription> begin_export(ExportTableRequest request);
  Result<ExportDescription> keep_export(ExportTableRequest request, const Table& table,
                                        const std::vector<transfers::ExportJob>& others);
  Result<ExportDescription> describe_export(const std::string& arn) const;
  Result<ExportPage> list_exports(const ListExportsRequest& request) const;
  void start_exports();
  Result<ImportDescription> begin_import(ImportTableRequest request);
  Result<void> create_import_table(transfers::ImportJob& job);
  Result<void> finish_import(const transfers::ImportJob& job);
  Result<ImportDescription> describe_import(const std::string& arn) const;
  void start_imports();
  Result<BulkOperationDescription> begin_bulk_put(BulkPutRequest request);
  Result<transfers::BulkJob> find_bulk_job(const std::string& arn) const;
  void start_bulk_puts();

  // Streams.
  /// Fails with kValidation when the text is not the ARN of a stream, and with kStreamNotFound.
  Result<streams::Stream> find_stream(const std::string& arn) const;
  [[nodiscard]] StreamName name_of(const streams::Stream& stream) const;
  Result<StreamPage> list_streams(const ListStreamsRequest& request) const;
  Result<StreamDescription> describe_stream(const DescribeStreamRequest& request) const;
  Result<ShardIterator> shard_iterator(const GetShardIteratorRequest& request) const;
  Result<GetRecordsResponse> read_records(const GetRecordsRequest& request) const;

  // Vectors.
  [[nodiscard]] GraphOptions graph_options();
  void add_graph_work(std::weak_ptr<VectorPartition> partition);
  void start_graph_builder();
  Result<BackgroundTask::Next> build_graphs();

  // Work in the background.
  void start_background();
  void start_index_builder();
  /// Whether an index is being built.
  [[nodiscard]] bool builds() const;
  Result<void> activate_index(const std::string& table, TableId index);
  void start_reclaimer();
  /// Gives back the space of rows that were removed, if there are any.
  Result<BackgroundTask::Next> reclaim_next(const std::stop_token& stop);
  /// Removes a deleted index from its table.
  Result<void> drop_deleted_index(TableId index);

  /// Since this process began.
  struct Counters {
    metrics::Counter index_build_items;
    /// Shared with the tables that have gates.
    std::shared_ptr<metrics::Counter> gate_refusals = std::make_shared<metrics::Counter>();
  };

  Counters counters_;
  std::unique_ptr<storage::Storage> storage_;
  std::unique_ptr<Catalogue> catalogue_;
  EngineOptions options_;
  DataKeys data_keys_;
  std::unique_ptr<TokenClock> token_clock_;
  WritePipeline pipeline_;
  std::unique_ptr<Conflicts> conflicts_;  // null when they wait
  TableCopies copies_;

  // Stopped before the storage is closed, and destroyed after it: the last commits wake them.
  std::optional<BackgroundTask> index_builder_;
  std::optional<BackgroundTask> reclaimer_;
  std::optional<BackgroundTask> seal_task_;
  ItemWalk expiry_walk_;
  Expirer expirer_;
  std::optional<BackgroundTask> expiry_builder_;
  std::optional<BackgroundTask> expiry_task_;
  std::optional<BackgroundTask> stream_trimmer_;
  KinesisForwarder kinesis_forwarder_;
  std::optional<BackgroundTask> kinesis_task_;
  std::optional<BackgroundTask> restorer_;
  std::optional<BackgroundTask> history_trimmer_;
  std::optional<BackgroundTask> export_task_;
  std::optional<BackgroundTask> import_task_;
  std::mutex bulk_jobs_mutex_;  ///< Held while the row of a bulk operation changes.
  std::optional<BackgroundTask> bulk_task_;
  std::mutex graph_work_mutex_;  ///< Guards the next one.
  std::deque<std::weak_ptr<VectorPartition>> graph_work_;
  std::optional<BackgroundTask> graph_builder_;
  WorkQueue searches_;
  /// Stopped first: what it does wakes the others.
  WorkQueue work_;
};

template <class Response, class Work>
void Engine::queue(Work work, Done<Response> done) {
  // Shared, so that it is still there when the queue does not take it.
  auto shared = std::make_shared<Done<Response>>(std::move(done));
  if (!work_.add([shared, work = std::move(work)]() mutable { (*shared)(work()); }))
    (*shared)(std::unexpected(
        Error(Code::kLimitExceeded, "Subscriber limit exceeded: There is a limit of 500 table operations that wait")));
}

}  // namespace dolmen::engine
