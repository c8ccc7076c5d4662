#include "store/calls.h"

#include <utility>

#include "service/internal_tables.h"
#include "store/translate.h"

namespace dolmen::calls {
namespace {

/// Turns the service's response into what the user sees.
template <class Response, class T>
Done<Response> translated(Callback<T> done) {
  return [done = std::move(done)](Result<Response> response) mutable {
    if (!response) return done(std::unexpected(std::move(response).error()));
    done(translate::result(std::move(*response)));
  };
}

/// Reports an error that was found before the service was asked.
template <class T, class Request>
bool refused(const Result<Request>& request, Callback<T>& done) {
  if (request) return false;
  done(std::unexpected(request.error()));
  return true;
}

}  // namespace

void create_table(Service& service, TableDefinition definition, Callback<TableDescription> done) {
  if (refused(check_for_users(definition.name), done)) return;
  service.create_table(std::move(definition), std::move(done));
}

void describe_table(Service& service, const std::string& name, Callback<TableDescription> done) {
  if (refused(check_for_users(name), done)) return;
  service.describe_table(name, std::move(done));
}

void delete_table(Service& service, const std::string& name, Callback<TableDescription> done) {
  if (refused(check_for_users(name), done)) return;
  service.delete_table(name, std::move(done));
}

void list_tables(Service& service, const ListTables& request, Callback<TableNamePage> done) {
  service.list_tables({.after = request.after, .limit = request.limit}, std::move(done));
}

void put_item(Service& service, const std::string& table, const Item& item, const PutOptions& options,
              Callback<WriteResult> done) {
  Result<WriteRequest> request = translate::put(table, item, options);
  if (refused(request, done)) return;
  service.write_item(std::move(*request), translated<WriteResponse>(std::move(done)));
}

void get_item(Service& service, const std::string& table, const Item& key, const GetOptions& options,
              Callback<GetResult> done) {
  const Result<GetItemRequest> request = translate::get(table, key, options);
  if (refused(request, done)) return;
  service.get_item(*request, translated<GetItemResponse>(std::move(done)));
}

void update_item(Service& service, const UpdateAction& action, const UpdateOptions& options,
                 Callback<WriteResult> done) {
  Result<WriteRequest> request = translate::update(action, options);
  if (refused(request, done)) return;
  service.write_item(std::move(*request), translated<WriteResponse>(std::move(done)));
}

void delete_item(Service& service, const std::string& table, const Item& key, const DeleteOptions& options,
                 Callback<WriteResult> done) {
  Result<WriteRequest> request = translate::remove(table, key, options);
  if (refused(request, done)) return;
  service.write_item(std::move(*request), translated<WriteResponse>(std::move(done)));
}

void query_page(Service& service, const std::string& table, const QueryOptions& options, Callback<Page> done) {
  const Result<ReadManyRequest> request = translate::query(table, options);
  if (refused(request, done)) return;
  service.read_many(*request, translated<ReadManyResponse>(std::move(done)));
}

void scan_page(Service& service, const std::string& table, const ScanOptions& options, Callback<Page> done) {
  const Result<ReadManyRequest> request = translate::scan(table, options);
  if (refused(request, done)) return;
  service.read_many(*request, translated<ReadManyResponse>(std::move(done)));
}

void batch_get(Service& service, const std::vector<KeysOfTable>& keys, const BatchGetOptions& options,
               Callback<BatchGetResult> done) {
  const Result<BatchGetRequest> request = translate::batch_get(keys, options);
  if (refused(request, done)) return;
  service.batch_get(*request, [keys, done = std::move(done)](Result<BatchGetResponse> response) mutable {
    if (!response) return done(std::unexpected(std::move(response).error()));
    done(translate::result(keys, *response));
  });
}

void batch_write(Service& service, const std::vector<BatchAction>& actions, const BatchWriteOptions& options,
                 Callback<BatchWriteResult> done) {
  Result<translate::BatchWritePlan> plan = translate::batch_write(actions, options);
  if (refused(plan, done)) return;
  service.batch_write(std::move(plan->request), [actions, order = std::move(plan->order),
                                                 done = std::move(done)](Result<BatchWriteResponse> response) mutable {
    if (!response) return done(std::unexpected(std::move(response).error()));
    done(translate::result(actions, order, std::move(*response)));
  });
}

void transact_write(Service& service, const std::vector<TransactAction>& actions, const TransactWriteOptions& options,
                    Callback<TransactWriteResult> done) {
  Result<TransactWriteRequest> request = translate::transact_write(actions, options);
  if (refused(request, done)) return;
  service.transact_write(std::move(*request), translated<TransactWriteResponse>(std::move(done)));
}

void transact_get(Service& service, const std::vector<TransactGet>& gets, const TransactGetOptions& options,
                  Callback<TransactGetResult> done) {
  const Result<TransactGetRequest> request = translate::transact_get(gets, options);
  if (refused(request, done)) return;
  service.transact_get(*request, translated<TransactGetResponse>(std::move(done)));
}

}  // namespace dolmen::calls
