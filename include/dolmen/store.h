#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/detail/companions.h"
#include "dolmen/error.h"
#include "dolmen/item_range.h"
#include "dolmen/operations.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen {

class Service;

/// Which page of table names is wanted.
struct ListTables {
  /// Names that come after this one.
  std::optional<std::string> after = std::nullopt;
  /// 1 to 100.
  int limit = 100;
};

/// Takes the outcome of an `async_` call, exactly once: before the call returns, or later on another thread. Without an
/// executor (`RemoteOptions::executor`) it must not block.
template <class T>
using Callback = std::move_only_function<void(Result<T>)>;

/// Runs what it is given, once: now, later, here or on another thread.
using Executor = std::function<void(std::move_only_function<void()>)>;

/// Tables and items, wherever they are kept. Thread-safe; a call without `async_` returns when it is done, and a write
/// that returned without an error is as durable as the store was opened to be.
///
/// Every operation fails with kTableNotFound when there is no such table and with kValidation when DynamoDB would
/// refuse it. A store elsewhere can also fail with kThrottled, kUnavailable, kTimeout, kCredentials, kAccessDenied,
/// kUnexpectedResponse, and a write with kUnknownOutcome.
class Store {
 public:
  /// Use `open` (dolmen/open.h) to get a store. The executor runs the callbacks of `async_` calls.
  explicit Store(std::unique_ptr<Service> service, detail::Companions companions = {}, Executor executor = {});
  /// Waits for the callbacks of calls under way, or, with an executor, until it has been given all of them.
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // ---- Tables ----

  /// Fails with kTableExists when there is a table of that name. Elsewhere the table may still be kCreating; see
  /// `wait_until_active` (dolmen/tables.h).
  Result<TableDescription> create_table(TableDefinition definition);
  Result<TableDescription> describe_table(const std::string& name);
  Result<TableDescription> delete_table(const std::string& name);
  Result<TableNamePage> list_tables(const ListTables& request = {});

  // ---- One item ----

  /// Adds the item, or replaces the one with the same key. Fails with kConditionFailed.
  Result<WriteResult> put_item(const std::string& table, const Item& item, const PutOptions& options = {});
  Result<GetResult> get_item(const std::string& table, const Item& key, const GetOptions& options = {});
  /// Changes the item, or creates it when there is none. Fails with kConditionFailed.
  Result<WriteResult> update_item(const std::string& table, const Item& key, const Update& update,
                                  const UpdateOptions& options = {});
  /// Also succeeds when there is no such item. Fails with kConditionFailed.
  Result<WriteResult> delete_item(const std::string& table, const Item& key, const DeleteOptions& options = {});

  // ---- Many items ----

  /// The items one after the other, page by page as they are asked for:
  ///
  ///     for (const Result<Item>& item : store->query("notes", {.key = key("topic") == "dolmen", .limit = 20}))
  ItemRange query(const std::string& table, QueryOptions options);
  ItemRange scan(const std::string& table, ScanOptions options = {});
  /// The result of a single request.
  Result<Page> query_page(const std::string& table, const QueryOptions& options);
  Result<Page> scan_page(const std::string& table, const ScanOptions& options = {});
  /// Counts without returning the items, over all pages.
  Result<Counted> count(const std::string& table, const QueryOptions& options);
  Result<Counted> count(const std::string& table, const ScanOptions& options);

  // ---- Batches and transactions ----

  /// Up to 100 keys. What did not fit comes back as unprocessed; `get_all` (dolmen/batch.h) asks for it again.
  Result<BatchGetResult> batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options = {});
  /// Up to 25 writes, each on its own. What was not done comes back as unprocessed; see `write_all` (dolmen/batch.h).
  Result<BatchWriteResult> batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options = {});
  /// Up to 100 actions, all of them or none. Fails with kTransactionCanceled (`transact_failures` says why),
  /// kIdempotencyMismatch.
  Result<TransactWriteResult> transact_write(const std::vector<TransactAction>& actions,
                                             const TransactWriteOptions& options = {});
  /// Up to 100 items as they were at one moment.
  Result<TransactGetResult> transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options = {});

  // ---- The same without waiting ----

  void async_create_table(TableDefinition definition, Callback<TableDescription> done);
  void async_describe_table(const std::string& name, Callback<TableDescription> done);
  void async_delete_table(const std::string& name, Callback<TableDescription> done);
  void async_list_tables(const ListTables& request, Callback<TableNamePage> done);
  void async_put_item(const std::string& table, const Item& item, const PutOptions& options,
                      Callback<WriteResult> done);
  void async_get_item(const std::string& table, const Item& key, const GetOptions& options, Callback<GetResult> done);
  void async_update_item(const UpdateAction& action, const UpdateOptions& options, Callback<WriteResult> done);
  void async_delete_item(const std::string& table, const Item& key, const DeleteOptions& options,
                         Callback<WriteResult> done);
  void async_query_page(const std::string& table, const QueryOptions& options, Callback<Page> done);
  void async_scan_page(const std::string& table, const ScanOptions& options, Callback<Page> done);
  void async_batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options,
                       Callback<BatchGetResult> done);
  void async_batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options,
                         Callback<BatchWriteResult> done);
  void async_transact_write(const std::vector<TransactAction>& actions, const TransactWriteOptions& options,
                            Callback<TransactWriteResult> done);
  void async_transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options,
                          Callback<TransactGetResult> done);

  /// The operations below this interface, for the other parts of Dolmen.
  [[nodiscard]] Service& service() noexcept { return *service_; }
  [[nodiscard]] const detail::Companions& companions() const noexcept { return companions_; }
  [[nodiscard]] const Executor& executor() const noexcept { return executor_; }

 private:
  /// Outlive the service, which may use them.
  detail::Companions companions_;
  std::unique_ptr<Service> service_;
  Executor executor_;
};

}  // namespace dolmen
