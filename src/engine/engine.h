#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/random.h"
#include "engine/background_task.h"
#include "engine/catalogue.h"
#include "engine/conflicts.h"
#include "engine/expirer.h"
#include "engine/item_walk.h"
#include "engine/item_write.h"
#include "engine/stream_log.h"
#include "engine/write_pipeline.h"
#include "service/moment.h"
#include "service/service.h"
#include "service/store_monitor.h"
#include "service/write_gate.h"
#include "storage/storage.h"

namespace dolmen::engine {

struct EngineOptions {
  const Clock* clock = &system_clock();
  Random* random = &system_random();
  /// Part of the ARNs of tables.
  std::string region = "us-east-1";
  std::string account = "000000000000";
  /// Receives lines for the operator, from any thread. It must not block.
  std::function<void(std::string line)> log = {};
  /// Refuses requests that meet a transaction, as AWS does, instead of letting them wait (conflicts.h).
  bool refuse_conflicts = false;
};

/// DynamoDB on one directory. Reads are strongly consistent and take no locks.
class Engine final : public Service, public WriteGates, public StoreMonitor, public Moments {
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

  // Changing tables.
  void start(UpdateTable, TableUpdate update, Done<TableDescription> done) override;

  // Time to live.
  void start(UpdateTimeToLive, UpdateTimeToLiveRequest request, Done<TimeToLiveChange> done) override;
  void start(DescribeTimeToLive, DescribeTimeToLiveRequest request, Done<TimeToLive> done) override;
  /// Waits until what has expired by the clock is removed and every table's time to live is built, or until that fails.
  /// For tests, whose clocks do not run.
  void finish_expiry();

  // Tags.
  void start(TagResource, TagResourceRequest request, Done<TagsChanged> done) override;
  void start(UntagResource, UntagResourceRequest request, Done<TagsChanged> done) override;
  void start(ListTagsOfResource, ListTagsOfResourceRequest request, Done<ListTagsOfResourceResponse> done) override;

  // Streams.
  void start(ListStreams, ListStreamsRequest request, Done<StreamPage> done) override;
  void start(DescribeStream, DescribeStreamRequest request, Done<StreamDescription> done) override;
  void start(GetShardIterator, GetShardIteratorRequest request, Done<ShardIterator> done) override;
  void start(GetRecords, GetRecordsRequest request, Done<GetRecordsResponse> done) override;

  /// Operations that have started are not interrupted, because nothing in an engine waits for long.
  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override;

  [[nodiscard]] std::shared_ptr<const Moment> this_moment() override;

  void change_gate(GateChange change, Done<void> done) override;
  void gate_of(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) override;

  void describe(metrics::Report& report) const override;
  [[nodiscard]] std::optional<Error> write_failure() const override;

 private:
  Engine(std::unique_ptr<storage::Storage> storage, std::unique_ptr<Catalogue> catalogue, EngineOptions options);

  // Tables.
  Result<std::shared_ptr<const Table>> table_for_items(const std::string& name) const;
  /// Changes a copy of a table and adds what else belongs to the change to the batch. A failure changes nothing.
  using TableChange = std::move_only_function<Result<void>(Table& table, storage::Batch& batch)>;
  /// Replaces a table by a changed one, while nothing writes to it. Fails with kTableNotFound.
  void change_table(const std::string& name, TableChange change, Done<std::shared_ptr<const Table>> done);
  /// The same for a thread in the background. A table that is gone needs no change.
  Result<void> change_table_and_wait(const std::string& table, TableChange change);
  [[nodiscard]] TableTime now() const;
  [[nodiscard]] std::string arn_of(std::string_view table) const;
  [[nodiscard]] TableDescription describe(const Table& table, TableStatus status) const;
  Result<void> measure(const Table& table, TableDescription& description) const;

  // Time to live.
  void start_expiry();
  [[nodiscard]] std::shared_ptr<const Table> table_to_build_expiry_of() const;
  Result<BackgroundTask::Next> build_expiry();
  Result<void> end_building_expiry(const Table& built);

  // Tags.
  using TagMap = std::map<std::string, std::string>;
  void change_tags(const std::string& arn, std::move_only_function<Result<void>(TagMap& tags)> change,
                   Done<TagsChanged> done);

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
  /// Refuses a transaction of reads that meets a write, if this engine refuses conflicts.
  Result<void> check_read_conflicts(const TransactGetRequest& request) const;

  // Writing.
  void write(WriteRequest request, Done<WriteResponse> done);
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
  Result<TransactWriteResponse> decide_all(std::span<ItemWrite> writes, storage::Batch& batch, bool metrics);
  /// The response to a transaction that was carried out before; it consumes the capacity of reading its items.
  Result<TransactWriteResponse> repeated(std::span<const ItemWrite> writes) const;

  // Streams.
  /// Fails with kValidation when the text is not the ARN of a stream, and with kStreamNotFound.
  Result<streams::Stream> find_stream(const std::string& arn) const;
  [[nodiscard]] StreamName name_of(const streams::Stream& stream) const;
  Result<StreamPage> list_streams(const ListStreamsRequest& request) const;
  Result<StreamDescription> describe_stream(const DescribeStreamRequest& request) const;
  Result<ShardIterator> shard_iterator(const GetShardIteratorRequest& request) const;
  Result<GetRecordsResponse> read_records(const GetRecordsRequest& request) const;

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
  WritePipeline pipeline_;
  std::unique_ptr<Conflicts> conflicts_;  // null when they wait

  // Stopped before the storage is closed, and destroyed after it: the last commits wake them.
  std::optional<BackgroundTask> index_builder_;
  std::optional<BackgroundTask> reclaimer_;
  ItemWalk expiry_walk_;
  Expirer expirer_;
  std::optional<BackgroundTask> expiry_builder_;
  std::optional<BackgroundTask> expiry_task_;
  std::optional<BackgroundTask> stream_trimmer_;
};

}  // namespace dolmen::engine
