#pragma once

#include <string>

#include "dolmen/error.h"
#include "dolmen/table_update.h"
#include "service/requests.h"
#include "service/settings_requests.h"
#include "service/transfer_requests.h"
#include "service/vector_requests.h"

/// The bodies of requests. They fail with kCorruption for bytes that are not an item.
namespace dolmen::remote {

Result<std::string> request_body(const TableDefinition& definition);
Result<std::string> request_body(const TableUpdate& update);
Result<std::string> request_body(const DescribeTableRequest& request);
Result<std::string> request_body(const DeleteTableRequest& request);
Result<std::string> request_body(const ListTablesRequest& request);
Result<std::string> request_body(const WriteRequest& request);
Result<std::string> request_body(const GetItemRequest& request);
Result<std::string> request_body(const ReadManyRequest& request);
Result<std::string> request_body(const SearchVectorsRequest& request);
Result<std::string> request_body(const BatchGetRequest& request);
Result<std::string> request_body(const BatchWriteRequest& request);
Result<std::string> request_body(const TransactWriteRequest& request);
Result<std::string> request_body(const TransactGetRequest& request);
Result<std::string> request_body(const ExecuteStatementRequest& request);
Result<std::string> request_body(const BatchExecuteRequest& request);
Result<std::string> request_body(const ExecuteTransactionRequest& request);
Result<std::string> request_body(const ListStreamsRequest& request);
Result<std::string> request_body(const DescribeStreamRequest& request);
Result<std::string> request_body(const GetShardIteratorRequest& request);
Result<std::string> request_body(const GetRecordsRequest& request);

Result<std::string> request_body(const UpdateTimeToLiveRequest& request);
Result<std::string> request_body(const DescribeTimeToLiveRequest& request);

Result<std::string> request_body(const TagResourceRequest& request);
Result<std::string> request_body(const UntagResourceRequest& request);
Result<std::string> request_body(const ListTagsOfResourceRequest& request);

Result<std::string> request_body(const UpdateContinuousBackupsRequest& request);
Result<std::string> request_body(const DescribeContinuousBackupsRequest& request);
Result<std::string> request_body(const RestoreToPointInTime& request);
Result<std::string> request_body(const CreateBackupRequest& request);
Result<std::string> request_body(const DescribeBackupRequest& request);
Result<std::string> request_body(const ListBackupsOptions& options);
Result<std::string> request_body(const DeleteBackupRequest& request);
Result<std::string> request_body(const RestoreFromBackup& request);
Result<std::string> request_body(const DescribeLimitsRequest& request);
Result<std::string> request_body(const DescribeEndpointsRequest& request);
Result<std::string> request_body(const PutResourcePolicyRequest& request);
Result<std::string> request_body(const GetResourcePolicyRequest& request);
Result<std::string> request_body(const DeleteResourcePolicyRequest& request);
Result<std::string> request_body(const UpdateContributorInsightsRequest& request);
Result<std::string> request_body(const DescribeContributorInsightsRequest& request);
Result<std::string> request_body(const ListContributorInsightsRequest& request);
Result<std::string> request_body(const KinesisDestinationRequest& request);
Result<std::string> request_body(const DescribeKinesisDestinationsRequest& request);
Result<std::string> request_body(const GlobalTableRequest& request);
Result<std::string> request_body(const ExportTableRequest& request);
Result<std::string> request_body(const DescribeExportRequest& request);
Result<std::string> request_body(const ListExportsRequest& request);
Result<std::string> request_body(const ImportTableRequest& request);
Result<std::string> request_body(const DescribeImportRequest& request);
Result<std::string> request_body(const ListImportsRequest& request);
Result<std::string> request_body(const BulkPutRequest& request);
Result<std::string> request_body(const DescribeBulkOperationRequest& request);
Result<std::string> request_body(const CancelBulkOperationRequest& request);
Result<std::string> request_body(const ListBulkOperationsRequest& request);

}  // namespace dolmen::remote
