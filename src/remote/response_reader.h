#pragma once

#include <string_view>

#include "dolmen/error.h"
#include "service/operations.h"

/// Reads the bodies of responses. Anything that DynamoDB does not send fails with kUnexpectedResponse.
namespace dolmen::remote {

Result<TableDescription> read_response(CreateTable, std::string_view body, const TableDefinition& asked);
Result<TableDescription> read_response(DescribeTable, std::string_view body, const DescribeTableRequest& asked);
Result<TableDescription> read_response(DeleteTable, std::string_view body, const DeleteTableRequest& asked);
Result<TableDescription> read_response(UpdateTable, std::string_view body, const TableUpdate& asked);
Result<TableNamePage> read_response(ListTableNames, std::string_view body, const ListTablesRequest& asked);
Result<GetItemResponse> read_response(GetItem, std::string_view body, const GetItemRequest& asked);
Result<SearchVectorsResponse> read_response(SearchVectors, std::string_view body, const SearchVectorsRequest& asked);
Result<BatchGetResponse> read_response(BatchGetItem, std::string_view body, const BatchGetRequest& asked);
Result<BatchWriteResponse> read_response(BatchWriteItem, std::string_view body, const BatchWriteRequest& asked);
Result<TransactWriteResponse> read_response(TransactWriteItems, std::string_view body,
                                            const TransactWriteRequest& asked);
Result<TransactGetResponse> read_response(TransactGetItems, std::string_view body, const TransactGetRequest& asked);
Result<ExecuteStatementResponse> read_response(ExecuteStatement, std::string_view body,
                                               const ExecuteStatementRequest& asked);
Result<BatchExecuteResponse> read_response(BatchExecuteStatement, std::string_view body,
                                           const BatchExecuteRequest& asked);
Result<ExecuteTransactionResponse> read_response(ExecuteTransaction, std::string_view body,
                                                 const ExecuteTransactionRequest& asked);
Result<StreamPage> read_response(ListStreams, std::string_view body, const ListStreamsRequest& asked);
Result<StreamDescription> read_response(DescribeStream, std::string_view body, const DescribeStreamRequest& asked);
Result<ShardIterator> read_response(GetShardIterator, std::string_view body, const GetShardIteratorRequest& asked);
Result<GetRecordsResponse> read_response(GetRecords, std::string_view body, const GetRecordsRequest& asked);

Result<TimeToLiveChange> read_response(UpdateTimeToLive, std::string_view body, const UpdateTimeToLiveRequest& asked);
Result<TimeToLive> read_response(DescribeTimeToLive, std::string_view body, const DescribeTimeToLiveRequest& asked);

Result<TagsChanged> read_response(TagResource, std::string_view body, const TagResourceRequest& asked);
Result<TagsChanged> read_response(UntagResource, std::string_view body, const UntagResourceRequest& asked);
Result<ListTagsOfResourceResponse> read_response(ListTagsOfResource, std::string_view body,
                                                 const ListTagsOfResourceRequest& asked);

Result<ContinuousBackups> read_response(UpdateContinuousBackups, std::string_view body,
                                        const UpdateContinuousBackupsRequest& asked);
Result<ContinuousBackups> read_response(DescribeContinuousBackups, std::string_view body,
                                        const DescribeContinuousBackupsRequest& asked);
Result<TableDescription> read_response(RestoreTableToPointInTime, std::string_view body,
                                       const RestoreToPointInTime& asked);
Result<BackupDetails> read_response(CreateBackup, std::string_view body, const CreateBackupRequest& asked);
Result<BackupDescription> read_response(DescribeBackup, std::string_view body, const DescribeBackupRequest& asked);
Result<BackupPage> read_response(ListBackups, std::string_view body, const ListBackupsOptions& asked);
Result<BackupDescription> read_response(DeleteBackup, std::string_view body, const DeleteBackupRequest& asked);
Result<TableDescription> read_response(RestoreTableFromBackup, std::string_view body, const RestoreFromBackup& asked);
Result<AccountLimits> read_response(DescribeLimits, std::string_view body, const DescribeLimitsRequest& asked);
Result<EndpointList> read_response(DescribeEndpoints, std::string_view body, const DescribeEndpointsRequest& asked);
Result<PolicyRevision> read_response(PutResourcePolicy, std::string_view body, const PutResourcePolicyRequest& asked);
Result<ResourcePolicy> read_response(GetResourcePolicy, std::string_view body, const GetResourcePolicyRequest& asked);
Result<PolicyRevision> read_response(DeleteResourcePolicy, std::string_view body,
                                     const DeleteResourcePolicyRequest& asked);
Result<ContributorInsights> read_response(UpdateContributorInsights, std::string_view body,
                                          const UpdateContributorInsightsRequest& asked);
Result<ContributorInsights> read_response(DescribeContributorInsights, std::string_view body,
                                          const DescribeContributorInsightsRequest& asked);
Result<ContributorInsightsPage> read_response(ListContributorInsights, std::string_view body,
                                              const ListContributorInsightsRequest& asked);
Result<KinesisDestinations> read_response(DescribeKinesisStreamingDestination, std::string_view body,
                                          const DescribeKinesisDestinationsRequest& asked);
Result<KinesisDestinationChange> read_kinesis_change(std::string_view body, const KinesisDestinationRequest& asked);

/// Those that change a Kinesis destination answer alike; what is said about global tables stays JSON.
template <class Op>
Result<KinesisDestinationChange> read_response(Op /*operation*/, std::string_view body,
                                               const KinesisDestinationRequest& asked) {
  return read_kinesis_change(body, asked);
}
template <class Op>
Result<GlobalTableResponse> read_response(Op /*operation*/, std::string_view body,
                                          const GlobalTableRequest& /*asked*/) {
  return GlobalTableResponse{std::string(body)};
}

Result<WriteResponse> read_write(std::string_view body);
Result<ReadManyResponse> read_many(std::string_view body);

/// PutItem, UpdateItem and DeleteItem answer alike, and so do Query and Scan.
template <class Op>
Result<WriteResponse> read_response(Op /*operation*/, std::string_view body, const WriteRequest& /*asked*/) {
  return read_write(body);
}
template <class Op>
Result<ReadManyResponse> read_response(Op /*operation*/, std::string_view body, const ReadManyRequest& /*asked*/) {
  return read_many(body);
}
Result<ExportDescription> read_response(ExportTableToPointInTime, std::string_view body,
                                        const ExportTableRequest& asked);
Result<ExportDescription> read_response(DescribeExport, std::string_view body, const DescribeExportRequest& asked);
Result<ExportPage> read_response(ListExports, std::string_view body, const ListExportsRequest& asked);
Result<ImportDescription> read_response(ImportTable, std::string_view body, const ImportTableRequest& asked);
Result<ImportDescription> read_response(DescribeImport, std::string_view body, const DescribeImportRequest& asked);
Result<ImportPage> read_response(ListImports, std::string_view body, const ListImportsRequest& asked);
Result<BulkOperationDescription> read_response(StartBulkPutItems, std::string_view body, const BulkPutRequest& asked);
Result<BulkOperationDescription> read_response(DescribeBulkOperation, std::string_view body,
                                               const DescribeBulkOperationRequest& asked);
Result<BulkOperationDescription> read_response(CancelBulkOperation, std::string_view body,
                                               const CancelBulkOperationRequest& asked);
Result<BulkOperationPage> read_response(ListBulkOperations, std::string_view body,
                                        const ListBulkOperationsRequest& asked);

}  // namespace dolmen::remote
