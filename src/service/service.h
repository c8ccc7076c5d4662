#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "service/requests.h"

namespace dolmen {
class WriteGate;
struct GateChange;
}  // namespace dolmen

namespace dolmen::schema {
class Registry;
}

namespace dolmen {

/// Called exactly once with the outcome of an operation: before the call that started it returns, or later on another
/// thread. It must not block.
template <class Response>
using Done = std::move_only_function<void(Result<Response>)>;

/// The operations of DynamoDB, whoever carries them out: the embedded engine or a remote endpoint. May be called from
/// any thread at any time; no call blocks on the disk or the network to make a write durable.
class Service {
 public:
  virtual ~Service() = default;

  virtual void create_table(TableDefinition definition, Done<TableDescription> done) = 0;
  virtual void describe_table(const std::string& name, Done<TableDescription> done) = 0;
  virtual void delete_table(const std::string& name, Done<TableDescription> done) = 0;
  virtual void list_tables(const ListTablesRequest& request, Done<TableNamePage> done) = 0;

  /// PutItem, UpdateItem, DeleteItem.
  virtual void write_item(WriteRequest request, Done<WriteResponse> done) = 0;
  virtual void get_item(const GetItemRequest& request, Done<GetItemResponse> done) = 0;
  /// Query, Scan.
  virtual void read_many(const ReadManyRequest& request, Done<ReadManyResponse> done) = 0;
  virtual void batch_get(const BatchGetRequest& request, Done<BatchGetResponse> done) = 0;
  virtual void batch_write(BatchWriteRequest request, Done<BatchWriteResponse> done) = 0;
  virtual void transact_write(TransactWriteRequest request, Done<TransactWriteResponse> done) = 0;
  virtual void transact_get(const TransactGetRequest& request, Done<TransactGetResponse> done) = 0;

  /// The same operations, ending with kCanceled when `stop` is requested. It needs this one as long as it lives.
  virtual std::unique_ptr<Service> cancelable(std::stop_token stop) = 0;

  /// Calls an operation of Dolmen's own protocol at a store elsewhere: a JSON object in, a JSON object out. Fails with
  /// kUnknownOperation when whoever is there does not speak it, as it does for a store in this process.
  virtual void call_dolmen(std::string_view operation, std::string body, Done<std::string> done);

  /// Every item that is written to the table from then on passes another gate (write_gate.h). Waits until no write to
  /// the table is under way, so that none is between the old gate and the log. Fails with kTableNotFound, and with
  /// kUnsupported for a store elsewhere. A gate ends with the process and with its table.
  virtual void change_gate(GateChange change, Done<void> done);
  /// The gate of a table; null when it has none.
  virtual void write_gate(const std::string& table, Done<std::shared_ptr<const WriteGate>> done);

  /// The store is in this process: it has a log, and tables of its own (internal_tables.h).
  [[nodiscard]] virtual bool is_embedded() const { return false; }
  /// The schema files beside the data; nothing for a store that has no directory here.
  [[nodiscard]] virtual schema::Registry* schema_files() { return nullptr; }
};

}  // namespace dolmen
