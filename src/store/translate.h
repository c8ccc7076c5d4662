#pragma once

#include "dolmen/error.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"
#include "dolmen/vectors.h"
#include "service/requests.h"
#include "service/vector_requests.h"

/// Converts between the types that users see, with items as trees, and those that travel between the rooms, with items
/// in their binary form. Checks in requests what DynamoDB checks before it looks at a table.
namespace dolmen::translate {

Result<WriteRequest> put(const std::string& table, const Item& item, const PutOptions& options);
Result<WriteRequest> update(const UpdateAction& action, const UpdateOptions& options);
Result<WriteRequest> remove(const std::string& table, const Item& key, const DeleteOptions& options);
Result<GetItemRequest> get(const std::string& table, const Item& key, const GetOptions& options);
Result<ReadManyRequest> query(const std::string& table, const QueryOptions& options);
Result<ReadManyRequest> scan(const std::string& table, const ScanOptions& options);
Result<SearchVectorsRequest> search_vectors(const std::string& table, const std::string& index,
                                            std::span<const float> vector, const VectorSearchOptions& options);
Result<BatchGetRequest> batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options);
/// The writes are grouped by table; `order[i]` is the position in `actions` of the request's write i.
struct BatchWritePlan {
  BatchWriteRequest request;
  std::vector<std::size_t> order;
};
Result<BatchWritePlan> batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options);
Result<TransactWriteRequest> transact_write(const std::vector<TransactAction>& actions,
                                            const TransactWriteOptions& options);
Result<TransactGetRequest> transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options);

/// The options of a page win over those of the statement.
Result<ExecuteStatementRequest> statement(const StatementCall& call, const StatementOptions& options);
Result<BatchExecuteRequest> batch_execute(const std::vector<StatementCall>& calls, const BatchExecuteOptions& options);
Result<ExecuteTransactionRequest> transact_execute(const std::vector<StatementCall>& calls,
                                                   const TransactExecuteOptions& options);

/// Descriptions of tables need no conversion.
inline Result<TableDescription> result(TableDescription description) { return description; }
inline Result<TableNamePage> result(TableNamePage page) { return page; }
inline Result<TimeToLiveChange> result(TimeToLiveChange change) { return change; }
inline Result<TimeToLive> result(TimeToLive description) { return description; }
inline Result<ContinuousBackups> result(ContinuousBackups backups) { return backups; }
inline Result<BackupDetails> result(BackupDetails details) { return details; }
inline Result<BackupDescription> result(BackupDescription description) { return description; }
inline Result<BackupPage> result(BackupPage page) { return page; }
inline Result<void> result(TagsChanged /*nothing*/) { return {}; }
Result<WriteResult> result(WriteResponse response);
Result<GetResult> result(GetItemResponse response);
Result<Page> result(ReadManyResponse response);
Result<VectorHits> result(SearchVectorsResponse response);
Result<BatchGetResult> result(const std::vector<KeysOfTable>& asked, const BatchGetResponse& response);
Result<BatchWriteResult> result(const std::vector<BatchAction>& asked, const std::vector<std::size_t>& order,
                                BatchWriteResponse response);
Result<TransactWriteResult> result(TransactWriteResponse response);
Result<TransactGetResult> result(TransactGetResponse response);
Result<StatementPage> result(ExecuteStatementResponse response);
Result<BatchExecuteResult> result(BatchExecuteResponse response);
Result<TransactExecuteResult> result(ExecuteTransactionResponse response);

}  // namespace dolmen::translate
