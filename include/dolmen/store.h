#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/backup.h"
#include "dolmen/detail/companions.h"
#include "dolmen/error.h"
#include "dolmen/item_range.h"
#include "dolmen/operations.h"
#include "dolmen/statement.h"
#include "dolmen/stream_range.h"
#include "dolmen/table.h"
#include "dolmen/table_update.h"
#include "dolmen/time_to_live.h"
#include "dolmen/value.h"
#include "dolmen/vectors.h"

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
  /// `wait_until_active` (dolmen/tables.h). Elsewhere a definition with a time to live makes this wait until the table
  /// is active, because only then it can be set; when that fails, the table stays, and the message says so.
  Result<TableDescription> create_table(TableDefinition definition);
  Result<TableDescription> describe_table(const std::string& name);
  /// Changes a table (dolmen/table_update.h). The answer shows some settings as they were, and the table or index as
  /// kUpdating or kCreating; see `wait_until_active`. Fails with kTableNotFound also when an index does not exist, with
  /// kTableInUse while another change is in the way, and with kLimitExceeded when more than one index is created or
  /// deleted at a time.
  Result<TableDescription> update_table(TableUpdate update);
  Result<TableDescription> delete_table(const std::string& name);
  Result<TableNamePage> list_tables(const ListTables& request = {});

  // ---- Time to live and tags ----

  /// Starts or ends the removal of items whose time is over. Fails with kValidation when that is so already, or when
  /// another attribute has the time.
  Result<TimeToLiveChange> update_time_to_live(const std::string& table, const TimeToLiveChange& change);
  Result<TimeToLive> describe_time_to_live(const std::string& table);
  /// Adds tags to a table, or replaces those with the same keys. `arn` is that of the table's description.
  Result<void> tag_resource(const std::string& arn, const std::map<std::string, std::string>& tags);
  /// Keys that the table does not have are ignored.
  Result<void> untag_resource(const std::string& arn, const std::vector<std::string>& keys);
  Result<std::map<std::string, std::string>> tags_of(const std::string& arn);

  // ---- Backups and points in time (dolmen/backup.h) ----

  /// Starts or ends the history of a table. Fails with kSourceTableNotFound.
  Result<ContinuousBackups> update_continuous_backups(const std::string& table, const PointInTimeChange& change);
  Result<ContinuousBackups> describe_continuous_backups(const std::string& table);
  /// Makes a new table of what another was at one moment. It is filled in the background (`wait_until_active` in
  /// dolmen/tables.h). Fails with kSourceTableNotFound, kPointInTimeUnavailable, kInvalidRestoreTime,
  /// kTargetTableExists, kTargetTableInUse.
  Result<TableDescription> restore_to_point_in_time(RestoreToPointInTime request);
  /// A backup is there when this returns, and stays when its table goes. Fails with kSourceTableNotFound.
  Result<BackupDetails> create_backup(const std::string& table, const std::string& name);
  /// Fails with kBackupNotFound.
  Result<BackupDescription> describe_backup(const std::string& arn);
  Result<BackupPage> list_backups(ListBackupsOptions options = {});
  /// Fails with kBackupNotFound, kBackupInUse.
  Result<BackupDescription> delete_backup(const std::string& arn);
  /// As `restore_to_point_in_time`. Fails with kBackupNotFound, kBackupInUse, kTargetTableExists, kTargetTableInUse,
  /// and with kCorruption when a file of the backup is damaged or missing.
  Result<TableDescription> restore_from_backup(RestoreFromBackup request);

  // ---- Forks ----

  /// A writable copy of an embedded store as it is at this moment, opened as this one was, but without its fault lab.
  /// On disk it is made in `directory`, which must be missing or empty, in milliseconds: it shares files with this
  /// store, of which neither changes what the other has. In memory the directory is empty, and every item is copied.
  ///
  /// Fails with kInvalidArgument, with kForeignDirectory when something is in the directory, as opening does, and with
  /// kUnsupported for a store elsewhere.
  Result<std::unique_ptr<Store>> fork(const std::string& directory = {});

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

  // ---- Vectors ----

  /// The items whose vectors are nearest to `vector`, best first (dolmen/vectors.h). Fails with kValidation when the
  /// table has no such vector index, or has one of other dimensions, or one that is still being filled.
  Result<VectorHits> search_vectors(const std::string& table, const std::string& index, std::span<const float> vector,
                                    const VectorSearchOptions& options = {});

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

  // ---- Statements ----

  /// Carries out a PartiQL statement with the values of its question marks, and returns the rows of a SELECT, over all
  /// pages, or what RETURNING asks for:
  ///
  ///     store->execute("SELECT * FROM notes WHERE topic = ? AND written > ?", {"dolmen", 0});
  ///
  /// Fails with kConditionFailed when an UPDATE or DELETE does not find what it needs, and with kDuplicateItem when an
  /// INSERT finds an item with that key.
  Result<std::vector<Item>> execute(const std::string& statement, const std::vector<AttributeValue>& parameters = {},
                                    const StatementOptions& options = {});
  /// The rows of a SELECT one after the other, page by page as they are asked for.
  ItemRange select(const std::string& statement, std::vector<AttributeValue> parameters = {},
                   StatementOptions options = {});
  /// The result of a single request.
  Result<StatementPage> execute_page(const std::string& statement, const std::vector<AttributeValue>& parameters = {},
                                     const StatementOptions& options = {});
  /// Up to 25 statements, each on its own: all of them read, or all of them write.
  Result<BatchExecuteResult> batch_execute(const std::vector<StatementCall>& statements,
                                           const BatchExecuteOptions& options = {});
  /// Up to 100 statements, all of them or none: all of them read, or all of them write. Fails as `transact_write` does.
  Result<TransactExecuteResult> transact_execute(const std::vector<StatementCall>& statements,
                                                 const TransactExecuteOptions& options = {});

  // ---- Streams ----

  /// The changes of a table's items, while its definition has a stream. A stream keeps them for 24 hours:
  ///
  ///     for (const Result<StreamRecord>& change : store->stream("orders", {.position = saved, .wait = 10s}))
  ///
  /// Fails with kStreamNotFound when the table never had a stream or it has ended more than 24 hours ago, and with
  /// kStreamTrimmed when records after a saved position are older than 24 hours and gone.
  StreamRange stream(const std::string& table, StreamOptions options = {});

  // ---- The same without waiting ----

  void async_create_table(TableDefinition definition, Callback<TableDescription> done);
  void async_describe_table(const std::string& name, Callback<TableDescription> done);
  void async_update_table(TableUpdate update, Callback<TableDescription> done);
  void async_delete_table(const std::string& name, Callback<TableDescription> done);
  void async_list_tables(const ListTables& request, Callback<TableNamePage> done);
  void async_update_time_to_live(const std::string& table, const TimeToLiveChange& change,
                                 Callback<TimeToLiveChange> done);
  void async_describe_time_to_live(const std::string& table, Callback<TimeToLive> done);
  void async_tag_resource(const std::string& arn, const std::map<std::string, std::string>& tags, Callback<void> done);
  void async_untag_resource(const std::string& arn, const std::vector<std::string>& keys, Callback<void> done);
  void async_put_item(const std::string& table, const Item& item, const PutOptions& options,
                      Callback<WriteResult> done);
  void async_get_item(const std::string& table, const Item& key, const GetOptions& options, Callback<GetResult> done);
  void async_update_item(const UpdateAction& action, const UpdateOptions& options, Callback<WriteResult> done);
  void async_delete_item(const std::string& table, const Item& key, const DeleteOptions& options,
                         Callback<WriteResult> done);
  void async_query_page(const std::string& table, const QueryOptions& options, Callback<Page> done);
  void async_scan_page(const std::string& table, const ScanOptions& options, Callback<Page> done);
  void async_search_vectors(const std::string& table, const std::string& index, std::span<const float> vector,
                            const VectorSearchOptions& options, Callback<VectorHits> done);
  void async_batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options,
                       Callback<BatchGetResult> done);
  void async_batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options,
                         Callback<BatchWriteResult> done);
  void async_transact_write(const std::vector<TransactAction>& actions, const TransactWriteOptions& options,
                            Callback<TransactWriteResult> done);
  void async_transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options,
                          Callback<TransactGetResult> done);
  void async_execute_page(const StatementCall& statement, const StatementOptions& options,
                          Callback<StatementPage> done);
  void async_batch_execute(const std::vector<StatementCall>& statements, const BatchExecuteOptions& options,
                           Callback<BatchExecuteResult> done);
  void async_transact_execute(const std::vector<StatementCall>& statements, const TransactExecuteOptions& options,
                              Callback<TransactExecuteResult> done);

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
