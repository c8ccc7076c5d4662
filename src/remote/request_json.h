#pragma once

#include <string>

#include "dolmen/error.h"
#include "service/requests.h"

/// The bodies of requests. They fail with kCorruption for an item that is no item.
namespace dolmen::remote {

std::string create_table_body(const TableDefinition& definition);
std::string table_name_body(const std::string& table);
std::string list_tables_body(const ListTablesRequest& request);
Result<std::string> write_body(const WriteRequest& request);
Result<std::string> get_body(const GetItemRequest& request);
Result<std::string> read_many_body(const ReadManyRequest& request);
Result<std::string> batch_get_body(const BatchGetRequest& request);
Result<std::string> batch_write_body(const BatchWriteRequest& request);
Result<std::string> transact_write_body(const TransactWriteRequest& request);
Result<std::string> transact_get_body(const TransactGetRequest& request);

}  // namespace dolmen::remote
