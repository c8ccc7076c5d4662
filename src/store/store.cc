#include "dolmen/store.h"

#include <utility>

#include "api/internal_tables.h"
#include "api/service.h"
#include "api/wait.h"
#include "base/check.h"
#include "store/translate.h"

namespace dolmen {
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

/// A page of a query or scan that goes on after a key.
template <class Options>
Options page_options(const Options& options, const std::optional<Item>& start_after, std::uint32_t remaining) {
  Options page = options;
  page.start_after = start_after;
  // With a filter it is unknown how many items must be read to find that many.
  page.limit = options.filter.empty() ? remaining : 0;
  return page;
}

Result<Counted> count_pages(Service& service, Result<ReadManyRequest> request) {
  if (!request) return std::unexpected(std::move(request).error());
  request->select = Select::kCount;
  request->limit = std::nullopt;
  Counted counted;
  do {
    DOLMEN_TRY(ReadManyResponse page,
               wait_for<ReadManyResponse>([&](auto done) { service.read_many(*request, std::move(done)); }));
    counted.count += page.count;
    counted.scanned_count += page.scanned_count;
    request->start_key = std::move(page.last_key);
  } while (request->start_key);
  return counted;
}

}  // namespace

Store::Store(std::unique_ptr<Service> service) : service_(std::move(service)) {
  DOLMEN_CHECK(service_ != nullptr, "a store needs a service");
}

Store::~Store() = default;

// ---- Tables ----

void Store::async_create_table(TableDefinition definition, Callback<TableDescription> done) {
  if (refused(check_for_users(definition.name), done)) return;
  service_->create_table(std::move(definition), std::move(done));
}

void Store::async_describe_table(const std::string& name, Callback<TableDescription> done) {
  if (refused(check_for_users(name), done)) return;
  service_->describe_table(name, std::move(done));
}

void Store::async_delete_table(const std::string& name, Callback<TableDescription> done) {
  if (refused(check_for_users(name), done)) return;
  service_->delete_table(name, std::move(done));
}

void Store::async_list_tables(const ListTables& request, Callback<TableNamePage> done) {
  service_->list_tables({.after = request.after, .limit = request.limit}, std::move(done));
}

// ---- One item ----

void Store::async_put_item(const std::string& table, const Item& item, const PutOptions& options,
                           Callback<WriteResult> done) {
  Result<WriteRequest> request = translate::put(table, item, options);
  if (refused(request, done)) return;
  service_->write_item(std::move(*request), translated<WriteResponse>(std::move(done)));
}

void Store::async_get_item(const std::string& table, const Item& key, const GetOptions& options,
                           Callback<GetResult> done) {
  const Result<GetItemRequest> request = translate::get(table, key, options);
  if (refused(request, done)) return;
  service_->get_item(*request, translated<GetItemResponse>(std::move(done)));
}

void Store::async_update_item(const UpdateAction& action, const UpdateOptions& options, Callback<WriteResult> done) {
  Result<WriteRequest> request = translate::update(action, options);
  if (refused(request, done)) return;
  service_->write_item(std::move(*request), translated<WriteResponse>(std::move(done)));
}

void Store::async_delete_item(const std::string& table, const Item& key, const DeleteOptions& options,
                              Callback<WriteResult> done) {
  Result<WriteRequest> request = translate::remove(table, key, options);
  if (refused(request, done)) return;
  service_->write_item(std::move(*request), translated<WriteResponse>(std::move(done)));
}

// ---- Many items ----

void Store::async_query_page(const std::string& table, const QueryOptions& options, Callback<Page> done) {
  const Result<ReadManyRequest> request = translate::query(table, options);
  if (refused(request, done)) return;
  service_->read_many(*request, translated<ReadManyResponse>(std::move(done)));
}

void Store::async_scan_page(const std::string& table, const ScanOptions& options, Callback<Page> done) {
  const Result<ReadManyRequest> request = translate::scan(table, options);
  if (refused(request, done)) return;
  service_->read_many(*request, translated<ReadManyResponse>(std::move(done)));
}

ItemRange Store::query(const std::string& table, QueryOptions options) {
  std::optional<Item> start = options.start_after;
  const std::uint32_t limit = options.limit;
  return ItemRange(
      [this, table, options = std::move(options)](const std::optional<Item>& start_after, std::uint32_t remaining) {
        return query_page(table, page_options(options, start_after, remaining));
      },
      std::move(start), limit);
}

ItemRange Store::scan(const std::string& table, ScanOptions options) {
  std::optional<Item> start = options.start_after;
  const std::uint32_t limit = options.limit;
  return ItemRange(
      [this, table, options = std::move(options)](const std::optional<Item>& start_after, std::uint32_t remaining) {
        return scan_page(table, page_options(options, start_after, remaining));
      },
      std::move(start), limit);
}

Result<Counted> Store::count(const std::string& table, QueryOptions options) {
  return count_pages(*service_, translate::query(table, options));
}

Result<Counted> Store::count(const std::string& table, ScanOptions options) {
  return count_pages(*service_, translate::scan(table, options));
}

// ---- Batches and transactions ----

void Store::async_batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options,
                            Callback<BatchGetResult> done) {
  const Result<BatchGetRequest> request = translate::batch_get(keys, options);
  if (refused(request, done)) return;
  service_->batch_get(*request, [keys, done = std::move(done)](Result<BatchGetResponse> response) mutable {
    if (!response) return done(std::unexpected(std::move(response).error()));
    done(translate::result(keys, *response));
  });
}

void Store::async_batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options,
                              Callback<BatchWriteResult> done) {
  Result<translate::BatchWritePlan> plan = translate::batch_write(actions, options);
  if (refused(plan, done)) return;
  service_->batch_write(std::move(plan->request), [actions, order = std::move(plan->order), done = std::move(done)](
                                                      Result<BatchWriteResponse> response) mutable {
    if (!response) return done(std::unexpected(std::move(response).error()));
    done(translate::result(actions, order, std::move(*response)));
  });
}

void Store::async_transact_write(const std::vector<TransactAction>& actions, const TransactWriteOptions& options,
                                 Callback<TransactWriteResult> done) {
  Result<TransactWriteRequest> request = translate::transact_write(actions, options);
  if (refused(request, done)) return;
  service_->transact_write(std::move(*request), translated<TransactWriteResponse>(std::move(done)));
}

void Store::async_transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options,
                               Callback<TransactGetResult> done) {
  const Result<TransactGetRequest> request = translate::transact_get(gets, options);
  if (refused(request, done)) return;
  service_->transact_get(*request, translated<TransactGetResponse>(std::move(done)));
}

// ---- The same, waiting ----

Result<TableDescription> Store::create_table(TableDefinition definition) {
  return wait_for<TableDescription>([&](auto done) { async_create_table(std::move(definition), std::move(done)); });
}

Result<TableDescription> Store::describe_table(const std::string& name) {
  return wait_for<TableDescription>([&](auto done) { async_describe_table(name, std::move(done)); });
}

Result<TableDescription> Store::delete_table(const std::string& name) {
  return wait_for<TableDescription>([&](auto done) { async_delete_table(name, std::move(done)); });
}

Result<TableNamePage> Store::list_tables(const ListTables& request) {
  return wait_for<TableNamePage>([&](auto done) { async_list_tables(request, std::move(done)); });
}

Result<WriteResult> Store::put_item(const std::string& table, const Item& item, const PutOptions& options) {
  return wait_for<WriteResult>([&](auto done) { async_put_item(table, item, options, std::move(done)); });
}

Result<GetResult> Store::get_item(const std::string& table, const Item& key, const GetOptions& options) {
  return wait_for<GetResult>([&](auto done) { async_get_item(table, key, options, std::move(done)); });
}

Result<WriteResult> Store::update_item(const std::string& table, const Item& key, const Update& update,
                                       const UpdateOptions& options) {
  return wait_for<WriteResult>(
      [&](auto done) { async_update_item({.table = table, .key = key, .update = update}, options, std::move(done)); });
}

Result<WriteResult> Store::delete_item(const std::string& table, const Item& key, const DeleteOptions& options) {
  return wait_for<WriteResult>([&](auto done) { async_delete_item(table, key, options, std::move(done)); });
}

Result<Page> Store::query_page(const std::string& table, const QueryOptions& options) {
  return wait_for<Page>([&](auto done) { async_query_page(table, options, std::move(done)); });
}

Result<Page> Store::scan_page(const std::string& table, const ScanOptions& options) {
  return wait_for<Page>([&](auto done) { async_scan_page(table, options, std::move(done)); });
}

Result<BatchGetResult> Store::batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options) {
  return wait_for<BatchGetResult>([&](auto done) { async_batch_get(keys, options, std::move(done)); });
}

Result<BatchWriteResult> Store::batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options) {
  return wait_for<BatchWriteResult>([&](auto done) { async_batch_write(actions, options, std::move(done)); });
}

Result<TransactWriteResult> Store::transact_write(const std::vector<TransactAction>& actions,
                                                  const TransactWriteOptions& options) {
  return wait_for<TransactWriteResult>([&](auto done) { async_transact_write(actions, options, std::move(done)); });
}

Result<TransactGetResult> Store::transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options) {
  return wait_for<TransactGetResult>([&](auto done) { async_transact_get(gets, options, std::move(done)); });
}

}  // namespace dolmen
