#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/service.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/catalogue.h"
#include "engine/item_write.h"
#include "engine/write_pipeline.h"
#include "storage/storage.h"

namespace dolmen {

struct EngineOptions {
  const Clock* clock = &system_clock();
  Random* random = &system_random();
  /// They appear in the names (ARNs) of tables.
  std::string region = "us-east-1";
  std::string account = "000000000000";
  /// The schema files of the data directory, if there is one.
  std::shared_ptr<schema::Registry> schema_files = nullptr;
};

/// DynamoDB on one directory. Reads are strongly consistent and take no locks.
class Engine final : public Service {
 public:
  /// The storage must have been opened with the keyspaces of engine/keyspaces.h.
  static Result<std::unique_ptr<Engine>> open(std::unique_ptr<storage::Storage> storage, EngineOptions options = {});

  /// Completes the writes under way.
  ~Engine() override;

  void create_table(TableDefinition definition, Done<TableDescription> done) override;
  void describe_table(const std::string& name, Done<TableDescription> done) override;
  void delete_table(const std::string& name, Done<TableDescription> done) override;
  void list_tables(const ListTablesRequest& request, Done<TableNamePage> done) override;

  void write_item(WriteRequest request, Done<WriteResponse> done) override;
  void get_item(const GetItemRequest& request, Done<GetItemResponse> done) override;
  void read_many(const ReadManyRequest& request, Done<ReadManyResponse> done) override;
  void batch_get(const BatchGetRequest& request, Done<BatchGetResponse> done) override;
  void batch_write(BatchWriteRequest request, Done<BatchWriteResponse> done) override;
  void transact_write(TransactWriteRequest request, Done<TransactWriteResponse> done) override;
  void transact_get(const TransactGetRequest& request, Done<TransactGetResponse> done) override;
  std::unique_ptr<Service> cancelable(std::stop_token stop) override;
  void change_gate(GateChange change, Done<void> done) override;
  void write_gate(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) override;
  [[nodiscard]] bool is_embedded() const override { return true; }
  [[nodiscard]] schema::Registry* schema_files() override { return options_.schema_files.get(); }

 private:
  Engine(std::unique_ptr<storage::Storage> storage, std::unique_ptr<Catalogue> catalogue, EngineOptions options);

  // Tables.
  Result<std::shared_ptr<const Table>> table_for_items(const std::string& name) const;
  [[nodiscard]] TableDescription describe(const Table& table, TableStatus status) const;
  Result<void> measure(const Table& table, TableDescription& description) const;

  // Reading.
  /// Says in `whole_bytes`, if that is given, how large the item is, whatever is returned of it.
  Result<GetItemResponse> read_item(const GetItemRequest& request, const storage::Snapshot* snapshot = nullptr,
                                    std::size_t* whole_bytes = nullptr) const;
  Result<void> check_batch(const BatchGetRequest& request) const;
  Result<BatchGetResponse> read_batch(const BatchGetRequest& request) const;
  Result<TransactGetResponse> read_together(const TransactGetRequest& request) const;

  // Writing.
  /// Reads the expressions of all, then finds the tables of all.
  Result<std::vector<ItemWrite>> prepare_writes(std::vector<WriteRequest> requests) const;
  /// The table may have gone while a write waited for its locks.
  Result<void> still_there(const ItemWrite& write) const;
  [[nodiscard]] std::vector<LockRequest> locks_of(std::span<const ItemWrite> writes) const;
  Result<TransactWriteResponse> decide_all(std::span<const ItemWrite> writes, storage::Batch& batch, bool metrics);
  /// The answer to a transaction that was carried out before: it costs the reading of its items.
  Result<TransactWriteResponse> repeated(std::span<const ItemWrite> writes) const;

  std::unique_ptr<storage::Storage> storage_;
  std::unique_ptr<Catalogue> catalogue_;
  EngineOptions options_;
  WritePipeline pipeline_;
};

}  // namespace dolmen
