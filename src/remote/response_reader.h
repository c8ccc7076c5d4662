#pragma once

#include <string_view>

#include "dolmen/error.h"
#include "service/requests.h"

/// Reads the bodies of responses. What is not DynamoDB's fails with kUnexpectedResponse.
namespace dolmen::remote {

/// Of CreateTable and DeleteTable (member "TableDescription") or DescribeTable ("Table").
Result<TableDescription> read_table(std::string_view body, std::string_view member);
Result<TableNamePage> read_table_names(std::string_view body);
Result<WriteResponse> read_write(std::string_view body);
Result<GetItemResponse> read_get(std::string_view body);
Result<ReadManyResponse> read_many(std::string_view body);
Result<BatchGetResponse> read_batch_get(std::string_view body, const BatchGetRequest& asked);
Result<BatchWriteResponse> read_batch_write(std::string_view body, const BatchWriteRequest& asked);
Result<TransactWriteResponse> read_transact_write(std::string_view body);
Result<TransactGetResponse> read_transact_get(std::string_view body, const TransactGetRequest& asked);

}  // namespace dolmen::remote
