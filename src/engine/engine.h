#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "engine/catalogue.h"
#include "engine/item_write.h"
#include "engine/write_pipeline.h"
#include "service/service.h"
#include "service/write_gate.h"
#include "storage/storage.h"

namespace dolmen::engine {

struct EngineOptions {
  const Clock* clock = &system_clock();
  Random* random = &system_random();
  /// Part of the ARNs of tables.
  std::string region = "us-east-1";
  std::string account = "000000000000";
};

/// DynamoDB on one directory. Reads are strongly consistent and take no locks.
class Engine final : public Service, public WriteGates {
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

  /// Operations that have started are not interrupted, because nothing in an engine waits for long.
  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override;

  void change_gate(GateChange change, Done<void> done) override;
  void gate_of(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) override;

 private:
  Engine(std::unique_ptr<storage::Storage> storage, std::unique_ptr<Catalogue> catalogue, EngineOptions options);

  // Tables.
  Result<std::shared_ptr<const Table>> table_for_items(const std::string& name) const;
  [[nodiscard]] TableDescription describe(const Table& table, TableStatus status) const;
  Result<void> measure(const Table& table, TableDescription& description) const;

  // Reading.
  /// Sets `whole_bytes`, if given, to the size of the whole item, even when only a part is returned.
  Result<GetItemResponse> read_item(const GetItemRequest& request, const storage::Snapshot* snapshot = nullptr,
                                    std::size_t* whole_bytes = nullptr) const;
  Result<void> check_batch(const BatchGetRequest& request) const;
  Result<BatchGetResponse> read_batch(const BatchGetRequest& request) const;
  Result<TransactGetResponse> read_together(const TransactGetRequest& request) const;

  // Writing.
  void write(WriteRequest request, Done<WriteResponse> done);
  /// Reads the expressions of all requests, then finds the tables of all.
  Result<std::vector<ItemWrite>> prepare_writes(std::vector<WriteRequest> requests) const;
  /// Fails when the table was deleted while a write waited for its locks.
  Result<void> still_there(const ItemWrite& write) const;
  [[nodiscard]] std::vector<LockRequest> locks_of(std::span<const ItemWrite> writes) const;
  Result<TransactWriteResponse> decide_all(std::span<const ItemWrite> writes, storage::Batch& batch, bool metrics);
  /// The response to a transaction that was carried out before; it consumes the capacity of reading its items.
  Result<TransactWriteResponse> repeated(std::span<const ItemWrite> writes) const;

  std::unique_ptr<storage::Storage> storage_;
  std::unique_ptr<Catalogue> catalogue_;
  EngineOptions options_;
  WritePipeline pipeline_;
};

}  // namespace dolmen::engine
