#pragma once

#include <memory>
#include <string>

#include "api/service.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/catalogue.h"
#include "engine/write_pipeline.h"
#include "storage/storage.h"

namespace dolmen {

struct EngineOptions {
  const Clock* clock = &system_clock();
  Random* random = &system_random();
  /// They appear in the names (ARNs) of tables.
  std::string region = "us-east-1";
  std::string account = "000000000000";
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

  void put_item(PutItemRequest request, Done<WriteItemResponse> done) override;
  void get_item(const GetItemRequest& request, Done<GetItemResponse> done) override;
  void delete_item(DeleteItemRequest request, Done<WriteItemResponse> done) override;

 private:
  Engine(std::unique_ptr<storage::Storage> storage, std::unique_ptr<Catalogue> catalogue, EngineOptions options);

  Result<std::shared_ptr<const Table>> table_for_items(const std::string& name) const;
  [[nodiscard]] TableDescription describe(const Table& table, TableStatus status) const;
  Result<void> measure(const Table& table, TableDescription& description) const;
  Result<GetItemResponse> read_item(const GetItemRequest& request) const;

  template <class Effect>
  void write_item(const std::shared_ptr<const Table>& table, std::string key, Effect effect,
                  Done<WriteItemResponse> done);

  std::unique_ptr<storage::Storage> storage_;
  std::unique_ptr<Catalogue> catalogue_;
  EngineOptions options_;
  WritePipeline pipeline_;
};

}  // namespace dolmen
