#pragma once

#include <string>

#include "dolmen/error.h"
#include "service/requests.h"

/// The bodies of requests. They fail with kCorruption for bytes that are not an item.
namespace dolmen::remote {

Result<std::string> request_body(const TableDefinition& definition);
Result<std::string> request_body(const DescribeTableRequest& request);
Result<std::string> request_body(const DeleteTableRequest& request);
Result<std::string> request_body(const ListTablesRequest& request);
Result<std::string> request_body(const WriteRequest& request);
Result<std::string> request_body(const GetItemRequest& request);
Result<std::string> request_body(const ReadManyRequest& request);
Result<std::string> request_body(const BatchGetRequest& request);
Result<std::string> request_body(const BatchWriteRequest& request);
Result<std::string> request_body(const TransactWriteRequest& request);
Result<std::string> request_body(const TransactGetRequest& request);

}  // namespace dolmen::remote
