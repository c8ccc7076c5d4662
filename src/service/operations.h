#pragma once

#include <cstdint>
#include <string_view>

#include "dolmen/table.h"
#include "dolmen/table_update.h"
#include "dolmen/time_to_live.h"
#include "service/requests.h"
#include "service/settings_requests.h"
#include "service/transfer_requests.h"
#include "service/vector_requests.h"

/// The operations of DynamoDB, each declared once. The list at the end of this file determines what a service can do
/// (service.h), how a program waits for it (wait.h) or stops waiting (cancelable.h), what the wire understands
/// (wire/operations.cc) and what a remote store sends (remote/remote_service.h).
namespace dolmen {

enum class OperationFamily : std::uint8_t {
  kTables,
  kItems,
  kReads,
  kVectors,
  kBatches,
  kTransactions,
  kStatements,
  kTimeToLive,
  kTags,
  kStreams,
  kBackups,
  kAccount,
  kPolicies,
  kInsights,
  kKinesis,
  kGlobalTables,
  kTransfers,
};

/// The effect of carrying out a request a second time, when the outcome of the first time is unknown.
enum class Repeat : std::uint8_t {
  kRead,   ///< nothing
  kToken,  ///< nothing: the endpoint recognises the request and repeats its first answer
  kSame,   ///< the same effect again, but perhaps not the same answer
  kNever,  ///< another effect, or an answer that would be wrong
};

struct OperationInfo {
  /// The name on the wire.
  std::string_view name;
  OperationFamily family;
  /// For a request in general; remote/retry.h looks at the request itself.
  Repeat repeat;

  [[nodiscard]] constexpr bool reads() const { return repeat == Repeat::kRead; }
};

/// An operation is a type that names what goes in and what comes out:
///
///     struct GetItem : Operation<GetItemRequest, GetItemResponse> {
///       static constexpr OperationInfo kInfo{"GetItem", OperationFamily::kItems, Repeat::kRead};
///     };
template <class RequestOf, class ResponseOf>
struct Operation {
  using Request = RequestOf;
  using Response = ResponseOf;
};

// ---- Tables ----

struct CreateTable : Operation<TableDefinition, TableDescription> {
  static constexpr OperationInfo kInfo{"CreateTable", OperationFamily::kTables, Repeat::kSame};
};
struct DescribeTable : Operation<DescribeTableRequest, TableDescription> {
  static constexpr OperationInfo kInfo{"DescribeTable", OperationFamily::kTables, Repeat::kRead};
};
struct DeleteTable : Operation<DeleteTableRequest, TableDescription> {
  static constexpr OperationInfo kInfo{"DeleteTable", OperationFamily::kTables, Repeat::kSame};
};
struct ListTableNames : Operation<ListTablesRequest, TableNamePage> {
  static constexpr OperationInfo kInfo{"ListTables", OperationFamily::kTables, Repeat::kRead};
};

// ---- Items ----

struct PutItem : Operation<WriteRequest, WriteResponse> {
  static constexpr OperationInfo kInfo{"PutItem", OperationFamily::kItems, Repeat::kSame};
};
struct UpdateItem : Operation<WriteRequest, WriteResponse> {
  static constexpr OperationInfo kInfo{"UpdateItem", OperationFamily::kItems, Repeat::kNever};
};
struct DeleteItem : Operation<WriteRequest, WriteResponse> {
  static constexpr OperationInfo kInfo{"DeleteItem", OperationFamily::kItems, Repeat::kSame};
};
struct GetItem : Operation<GetItemRequest, GetItemResponse> {
  static constexpr OperationInfo kInfo{"GetItem", OperationFamily::kItems, Repeat::kRead};
};

// ---- Many items ----

struct Query : Operation<ReadManyRequest, ReadManyResponse> {
  static constexpr OperationInfo kInfo{"Query", OperationFamily::kReads, Repeat::kRead};
};
struct Scan : Operation<ReadManyRequest, ReadManyResponse> {
  static constexpr OperationInfo kInfo{"Scan", OperationFamily::kReads, Repeat::kRead};
};

// ---- Vectors ----

struct SearchVectors : Operation<SearchVectorsRequest, SearchVectorsResponse> {
  static constexpr OperationInfo kInfo{"SearchVectors", OperationFamily::kVectors, Repeat::kRead};
};

// ---- Batches and transactions ----

struct BatchGetItem : Operation<BatchGetRequest, BatchGetResponse> {
  static constexpr OperationInfo kInfo{"BatchGetItem", OperationFamily::kBatches, Repeat::kRead};
};
struct BatchWriteItem : Operation<BatchWriteRequest, BatchWriteResponse> {
  static constexpr OperationInfo kInfo{"BatchWriteItem", OperationFamily::kBatches, Repeat::kSame};
};
struct TransactWriteItems : Operation<TransactWriteRequest, TransactWriteResponse> {
  static constexpr OperationInfo kInfo{"TransactWriteItems", OperationFamily::kTransactions, Repeat::kToken};
};
struct TransactGetItems : Operation<TransactGetRequest, TransactGetResponse> {
  static constexpr OperationInfo kInfo{"TransactGetItems", OperationFamily::kTransactions, Repeat::kRead};
};

// ---- Statements ----

struct ExecuteStatement : Operation<ExecuteStatementRequest, ExecuteStatementResponse> {
  static constexpr OperationInfo kInfo{"ExecuteStatement", OperationFamily::kStatements, Repeat::kNever};
};
struct BatchExecuteStatement : Operation<BatchExecuteRequest, BatchExecuteResponse> {
  static constexpr OperationInfo kInfo{"BatchExecuteStatement", OperationFamily::kStatements, Repeat::kNever};
};
struct ExecuteTransaction : Operation<ExecuteTransactionRequest, ExecuteTransactionResponse> {
  static constexpr OperationInfo kInfo{"ExecuteTransaction", OperationFamily::kStatements, Repeat::kToken};
};

// ---- Changing tables ----

struct UpdateTable : Operation<TableUpdate, TableDescription> {
  static constexpr OperationInfo kInfo{"UpdateTable", OperationFamily::kTables, Repeat::kNever};
};

// ---- Time to live ----

struct UpdateTimeToLive : Operation<UpdateTimeToLiveRequest, TimeToLiveChange> {
  static constexpr OperationInfo kInfo{"UpdateTimeToLive", OperationFamily::kTimeToLive, Repeat::kNever};
};
struct DescribeTimeToLive : Operation<DescribeTimeToLiveRequest, TimeToLive> {
  static constexpr OperationInfo kInfo{"DescribeTimeToLive", OperationFamily::kTimeToLive, Repeat::kRead};
};

// ---- Tags ----

struct TagResource : Operation<TagResourceRequest, TagsChanged> {
  static constexpr OperationInfo kInfo{"TagResource", OperationFamily::kTags, Repeat::kSame};
};
struct UntagResource : Operation<UntagResourceRequest, TagsChanged> {
  static constexpr OperationInfo kInfo{"UntagResource", OperationFamily::kTags, Repeat::kSame};
};
struct ListTagsOfResource : Operation<ListTagsOfResourceRequest, ListTagsOfResourceResponse> {
  static constexpr OperationInfo kInfo{"ListTagsOfResource", OperationFamily::kTags, Repeat::kRead};
};

// ---- Backups and points in time ----

struct UpdateContinuousBackups : Operation<UpdateContinuousBackupsRequest, ContinuousBackups> {
  static constexpr OperationInfo kInfo{"UpdateContinuousBackups", OperationFamily::kBackups, Repeat::kSame};
};
struct DescribeContinuousBackups : Operation<DescribeContinuousBackupsRequest, ContinuousBackups> {
  static constexpr OperationInfo kInfo{"DescribeContinuousBackups", OperationFamily::kBackups, Repeat::kRead};
};
struct RestoreTableToPointInTime : Operation<RestoreToPointInTime, TableDescription> {
  static constexpr OperationInfo kInfo{"RestoreTableToPointInTime", OperationFamily::kBackups, Repeat::kNever};
};
struct CreateBackup : Operation<CreateBackupRequest, BackupDetails> {
  static constexpr OperationInfo kInfo{"CreateBackup", OperationFamily::kBackups, Repeat::kNever};
};
struct DescribeBackup : Operation<DescribeBackupRequest, BackupDescription> {
  static constexpr OperationInfo kInfo{"DescribeBackup", OperationFamily::kBackups, Repeat::kRead};
};
struct ListBackups : Operation<ListBackupsOptions, BackupPage> {
  static constexpr OperationInfo kInfo{"ListBackups", OperationFamily::kBackups, Repeat::kRead};
};
struct DeleteBackup : Operation<DeleteBackupRequest, BackupDescription> {
  static constexpr OperationInfo kInfo{"DeleteBackup", OperationFamily::kBackups, Repeat::kNever};
};
struct RestoreTableFromBackup : Operation<RestoreFromBackup, TableDescription> {
  static constexpr OperationInfo kInfo{"RestoreTableFromBackup", OperationFamily::kBackups, Repeat::kNever};
};

// ---- Streams ----

struct ListStreams : Operation<ListStreamsRequest, StreamPage> {
  static constexpr OperationInfo kInfo{"ListStreams", OperationFamily::kStreams, Repeat::kRead};
};
struct DescribeStream : Operation<DescribeStreamRequest, StreamDescription> {
  static constexpr OperationInfo kInfo{"DescribeStream", OperationFamily::kStreams, Repeat::kRead};
};
struct GetShardIterator : Operation<GetShardIteratorRequest, ShardIterator> {
  static constexpr OperationInfo kInfo{"GetShardIterator", OperationFamily::kStreams, Repeat::kRead};
};
struct GetRecords : Operation<GetRecordsRequest, GetRecordsResponse> {
  static constexpr OperationInfo kInfo{"GetRecords", OperationFamily::kStreams, Repeat::kRead};
};

// ---- The account ----

struct DescribeLimits : Operation<DescribeLimitsRequest, AccountLimits> {
  static constexpr OperationInfo kInfo{"DescribeLimits", OperationFamily::kAccount, Repeat::kRead};
};
struct DescribeEndpoints : Operation<DescribeEndpointsRequest, EndpointList> {
  static constexpr OperationInfo kInfo{"DescribeEndpoints", OperationFamily::kAccount, Repeat::kRead};
};

// ---- Resource policies ----

struct PutResourcePolicy : Operation<PutResourcePolicyRequest, PolicyRevision> {
  static constexpr OperationInfo kInfo{"PutResourcePolicy", OperationFamily::kPolicies, Repeat::kNever};
};
struct GetResourcePolicy : Operation<GetResourcePolicyRequest, ResourcePolicy> {
  static constexpr OperationInfo kInfo{"GetResourcePolicy", OperationFamily::kPolicies, Repeat::kRead};
};
struct DeleteResourcePolicy : Operation<DeleteResourcePolicyRequest, PolicyRevision> {
  static constexpr OperationInfo kInfo{"DeleteResourcePolicy", OperationFamily::kPolicies, Repeat::kNever};
};

// ---- Contributor Insights ----

struct UpdateContributorInsights : Operation<UpdateContributorInsightsRequest, ContributorInsights> {
  static constexpr OperationInfo kInfo{"UpdateContributorInsights", OperationFamily::kInsights, Repeat::kSame};
};
struct DescribeContributorInsights : Operation<DescribeContributorInsightsRequest, ContributorInsights> {
  static constexpr OperationInfo kInfo{"DescribeContributorInsights", OperationFamily::kInsights, Repeat::kRead};
};
struct ListContributorInsights : Operation<ListContributorInsightsRequest, ContributorInsightsPage> {
  static constexpr OperationInfo kInfo{"ListContributorInsights", OperationFamily::kInsights, Repeat::kRead};
};

// ---- Kinesis destinations ----

struct EnableKinesisStreamingDestination : Operation<KinesisDestinationRequest, KinesisDestinationChange> {
  static constexpr OperationInfo kInfo{"EnableKinesisStreamingDestination", OperationFamily::kKinesis, Repeat::kNever};
};
struct DisableKinesisStreamingDestination : Operation<KinesisDestinationRequest, KinesisDestinationChange> {
  static constexpr OperationInfo kInfo{"DisableKinesisStreamingDestination", OperationFamily::kKinesis, Repeat::kNever};
};
struct UpdateKinesisStreamingDestination : Operation<KinesisDestinationRequest, KinesisDestinationChange> {
  static constexpr OperationInfo kInfo{"UpdateKinesisStreamingDestination", OperationFamily::kKinesis, Repeat::kNever};
};
struct DescribeKinesisStreamingDestination : Operation<DescribeKinesisDestinationsRequest, KinesisDestinations> {
  static constexpr OperationInfo kInfo{"DescribeKinesisStreamingDestination", OperationFamily::kKinesis, Repeat::kRead};
};

// ---- Global tables and their auto scaling ----

struct CreateGlobalTable : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"CreateGlobalTable", OperationFamily::kGlobalTables, Repeat::kNever};
};
struct DescribeGlobalTable : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"DescribeGlobalTable", OperationFamily::kGlobalTables, Repeat::kRead};
};
struct DescribeGlobalTableSettings : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"DescribeGlobalTableSettings", OperationFamily::kGlobalTables, Repeat::kRead};
};
struct ListGlobalTables : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"ListGlobalTables", OperationFamily::kGlobalTables, Repeat::kRead};
};
struct UpdateGlobalTable : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"UpdateGlobalTable", OperationFamily::kGlobalTables, Repeat::kNever};
};
struct UpdateGlobalTableSettings : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"UpdateGlobalTableSettings", OperationFamily::kGlobalTables, Repeat::kNever};
};
struct DescribeTableReplicaAutoScaling : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"DescribeTableReplicaAutoScaling", OperationFamily::kGlobalTables,
                                       Repeat::kRead};
};
struct UpdateTableReplicaAutoScaling : Operation<GlobalTableRequest, GlobalTableResponse> {
  static constexpr OperationInfo kInfo{"UpdateTableReplicaAutoScaling", OperationFamily::kGlobalTables, Repeat::kNever};
};

// ---- Exports, imports and bulk operations ----

struct ExportTableToPointInTime : Operation<ExportTableRequest, ExportDescription> {
  static constexpr OperationInfo kInfo{"ExportTableToPointInTime", OperationFamily::kTransfers, Repeat::kNever};
};
struct DescribeExport : Operation<DescribeExportRequest, ExportDescription> {
  static constexpr OperationInfo kInfo{"DescribeExport", OperationFamily::kTransfers, Repeat::kRead};
};
struct ListExports : Operation<ListExportsRequest, ExportPage> {
  static constexpr OperationInfo kInfo{"ListExports", OperationFamily::kTransfers, Repeat::kRead};
};
struct ImportTable : Operation<ImportTableRequest, ImportDescription> {
  static constexpr OperationInfo kInfo{"ImportTable", OperationFamily::kTransfers, Repeat::kNever};
};
struct DescribeImport : Operation<DescribeImportRequest, ImportDescription> {
  static constexpr OperationInfo kInfo{"DescribeImport", OperationFamily::kTransfers, Repeat::kRead};
};
struct ListImports : Operation<ListImportsRequest, ImportPage> {
  static constexpr OperationInfo kInfo{"ListImports", OperationFamily::kTransfers, Repeat::kRead};
};
struct StartBulkPutItems : Operation<BulkPutRequest, BulkOperationDescription> {
  static constexpr OperationInfo kInfo{"StartBulkPutItems", OperationFamily::kTransfers, Repeat::kNever};
};
struct DescribeBulkOperation : Operation<DescribeBulkOperationRequest, BulkOperationDescription> {
  static constexpr OperationInfo kInfo{"DescribeBulkOperation", OperationFamily::kTransfers, Repeat::kRead};
};
struct CancelBulkOperation : Operation<CancelBulkOperationRequest, BulkOperationDescription> {
  static constexpr OperationInfo kInfo{"CancelBulkOperation", OperationFamily::kTransfers, Repeat::kSame};
};
struct ListBulkOperations : Operation<ListBulkOperationsRequest, BulkOperationPage> {
  static constexpr OperationInfo kInfo{"ListBulkOperations", OperationFamily::kTransfers, Repeat::kRead};
};

// ---- The list ----

// clang-format off
/// X(Op) for each operation. A list for the preprocessor, because a chain of classes with one function each takes g++
/// half a minute for every class that is derived from it.
#define DOLMEN_OPERATIONS(X)                                                                                            \
  X(CreateTable) X(DescribeTable) X(DeleteTable) X(ListTableNames) X(PutItem) X(UpdateItem) X(DeleteItem)              \
  X(GetItem) X(Query) X(Scan) X(BatchGetItem) X(BatchWriteItem) X(TransactWriteItems) X(TransactGetItems)              \
  X(ExecuteStatement) X(BatchExecuteStatement) X(ExecuteTransaction) X(UpdateTable) X(UpdateTimeToLive)                \
  X(DescribeTimeToLive) X(TagResource) X(UntagResource) X(ListTagsOfResource) X(ListStreams)                           \
  X(DescribeStream) X(GetShardIterator) X(GetRecords) X(UpdateContinuousBackups) X(DescribeContinuousBackups)          \
  X(RestoreTableToPointInTime) X(CreateBackup) X(DescribeBackup) X(ListBackups) X(DeleteBackup)                        \
  X(RestoreTableFromBackup) X(DescribeLimits) X(DescribeEndpoints) X(PutResourcePolicy) X(GetResourcePolicy)           \
  X(DeleteResourcePolicy) X(UpdateContributorInsights) X(DescribeContributorInsights)                                  \
  X(ListContributorInsights) X(EnableKinesisStreamingDestination) X(DisableKinesisStreamingDestination)                \
  X(UpdateKinesisStreamingDestination) X(DescribeKinesisStreamingDestination) X(CreateGlobalTable)                     \
  X(DescribeGlobalTable) X(DescribeGlobalTableSettings) X(ListGlobalTables) X(UpdateGlobalTable)                       \
  X(UpdateGlobalTableSettings) X(DescribeTableReplicaAutoScaling) X(UpdateTableReplicaAutoScaling)                     \
  X(SearchVectors) X(ExportTableToPointInTime) X(DescribeExport) X(ListExports) X(ImportTable)                         \
  X(DescribeImport) X(ListImports) X(StartBulkPutItems) X(DescribeBulkOperation) X(CancelBulkOperation)                \
  X(ListBulkOperations)
// clang-format on

struct Operations {
#define DOLMEN_INFO(Op) Op::kInfo,
  static constexpr OperationInfo kInfos[] = {DOLMEN_OPERATIONS(DOLMEN_INFO)};
#undef DOLMEN_INFO
};

}  // namespace dolmen
