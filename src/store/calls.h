#pragma once

#include "dolmen/store.h"
#include "service/service.h"

/// The operations of `Store` on a service. `done` runs wherever the service answers, or at once when there is nothing
/// to ask it.
namespace dolmen::calls {

void create_table(Service& service, TableDefinition definition, Callback<TableDescription> done);
void describe_table(Service& service, const std::string& name, Callback<TableDescription> done);
void delete_table(Service& service, const std::string& name, Callback<TableDescription> done);
void list_tables(Service& service, const ListTables& request, Callback<TableNamePage> done);
void put_item(Service& service, const std::string& table, const Item& item, const PutOptions& options,
              Callback<WriteResult> done);
void get_item(Service& service, const std::string& table, const Item& key, const GetOptions& options,
              Callback<GetResult> done);
void update_item(Service& service, const UpdateAction& action, const UpdateOptions& options,
                 Callback<WriteResult> done);
void delete_item(Service& service, const std::string& table, const Item& key, const DeleteOptions& options,
                 Callback<WriteResult> done);
void query_page(Service& service, const std::string& table, const QueryOptions& options, Callback<Page> done);
void scan_page(Service& service, const std::string& table, const ScanOptions& options, Callback<Page> done);
void batch_get(Service& service, const std::vector<KeysOfTable>& keys, const BatchGetOptions& options,
               Callback<BatchGetResult> done);
void batch_write(Service& service, const std::vector<BatchAction>& actions, const BatchWriteOptions& options,
                 Callback<BatchWriteResult> done);
void transact_write(Service& service, const std::vector<TransactAction>& actions, const TransactWriteOptions& options,
                    Callback<TransactWriteResult> done);
void transact_get(Service& service, const std::vector<TransactGet>& gets, const TransactGetOptions& options,
                  Callback<TransactGetResult> done);

}  // namespace dolmen::calls
