#include "dolmen/store.h"

#include <utility>

#include "base/check.h"
#include "service/service.h"
#include "service/wait.h"
#include "store/calls.h"
#include "store/translate.h"

namespace dolmen {
namespace {

/// A callback that runs `done` where the executor, if there is one, runs it.
template <class T>
Callback<T> run_by(const Executor& executor, Callback<T> done) {
  if (!executor) return done;
  return [executor, done = std::move(done)](Result<T> result) mutable {
    executor([done = std::move(done), result = std::move(result)]() mutable { done(std::move(result)); });
  };
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

Store::Store(std::unique_ptr<Service> service, Executor executor)
    : service_(std::move(service)), executor_(std::move(executor)) {
  DOLMEN_CHECK(service_ != nullptr, "a store needs a service");
}

Store::~Store() = default;

// ---- Tables ----

void Store::async_create_table(TableDefinition definition, Callback<TableDescription> done) {
  calls::create_table(*service_, std::move(definition), run_by(executor_, std::move(done)));
}

void Store::async_describe_table(const std::string& name, Callback<TableDescription> done) {
  calls::describe_table(*service_, name, run_by(executor_, std::move(done)));
}

void Store::async_delete_table(const std::string& name, Callback<TableDescription> done) {
  calls::delete_table(*service_, name, run_by(executor_, std::move(done)));
}

void Store::async_list_tables(const ListTables& request, Callback<TableNamePage> done) {
  calls::list_tables(*service_, request, run_by(executor_, std::move(done)));
}

// ---- One item ----

void Store::async_put_item(const std::string& table, const Item& item, const PutOptions& options,
                           Callback<WriteResult> done) {
  calls::put_item(*service_, table, item, options, run_by(executor_, std::move(done)));
}

void Store::async_get_item(const std::string& table, const Item& key, const GetOptions& options,
                           Callback<GetResult> done) {
  calls::get_item(*service_, table, key, options, run_by(executor_, std::move(done)));
}

void Store::async_update_item(const UpdateAction& action, const UpdateOptions& options, Callback<WriteResult> done) {
  calls::update_item(*service_, action, options, run_by(executor_, std::move(done)));
}

void Store::async_delete_item(const std::string& table, const Item& key, const DeleteOptions& options,
                              Callback<WriteResult> done) {
  calls::delete_item(*service_, table, key, options, run_by(executor_, std::move(done)));
}

// ---- Many items ----

void Store::async_query_page(const std::string& table, const QueryOptions& options, Callback<Page> done) {
  calls::query_page(*service_, table, options, run_by(executor_, std::move(done)));
}

void Store::async_scan_page(const std::string& table, const ScanOptions& options, Callback<Page> done) {
  calls::scan_page(*service_, table, options, run_by(executor_, std::move(done)));
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
  calls::batch_get(*service_, keys, options, run_by(executor_, std::move(done)));
}

void Store::async_batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options,
                              Callback<BatchWriteResult> done) {
  calls::batch_write(*service_, actions, options, run_by(executor_, std::move(done)));
}

void Store::async_transact_write(const std::vector<TransactAction>& actions, const TransactWriteOptions& options,
                                 Callback<TransactWriteResult> done) {
  calls::transact_write(*service_, actions, options, run_by(executor_, std::move(done)));
}

void Store::async_transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options,
                               Callback<TransactGetResult> done) {
  calls::transact_get(*service_, gets, options, run_by(executor_, std::move(done)));
}

// ---- The same, waiting: not for the executor, which may be the very thread that waits ----

Result<TableDescription> Store::create_table(TableDefinition definition) {
  return wait_for<TableDescription>(
      [&](auto done) { calls::create_table(*service_, std::move(definition), std::move(done)); });
}

Result<TableDescription> Store::describe_table(const std::string& name) {
  return wait_for<TableDescription>([&](auto done) { calls::describe_table(*service_, name, std::move(done)); });
}

Result<TableDescription> Store::delete_table(const std::string& name) {
  return wait_for<TableDescription>([&](auto done) { calls::delete_table(*service_, name, std::move(done)); });
}

Result<TableNamePage> Store::list_tables(const ListTables& request) {
  return wait_for<TableNamePage>([&](auto done) { calls::list_tables(*service_, request, std::move(done)); });
}

Result<WriteResult> Store::put_item(const std::string& table, const Item& item, const PutOptions& options) {
  return wait_for<WriteResult>([&](auto done) { calls::put_item(*service_, table, item, options, std::move(done)); });
}

Result<GetResult> Store::get_item(const std::string& table, const Item& key, const GetOptions& options) {
  return wait_for<GetResult>([&](auto done) { calls::get_item(*service_, table, key, options, std::move(done)); });
}

Result<WriteResult> Store::update_item(const std::string& table, const Item& key, const Update& update,
                                       const UpdateOptions& options) {
  return wait_for<WriteResult>([&](auto done) {
    calls::update_item(*service_, {.table = table, .key = key, .update = update}, options, std::move(done));
  });
}

Result<WriteResult> Store::delete_item(const std::string& table, const Item& key, const DeleteOptions& options) {
  return wait_for<WriteResult>([&](auto done) { calls::delete_item(*service_, table, key, options, std::move(done)); });
}

Result<Page> Store::query_page(const std::string& table, const QueryOptions& options) {
  return wait_for<Page>([&](auto done) { calls::query_page(*service_, table, options, std::move(done)); });
}

Result<Page> Store::scan_page(const std::string& table, const ScanOptions& options) {
  return wait_for<Page>([&](auto done) { calls::scan_page(*service_, table, options, std::move(done)); });
}

Result<BatchGetResult> Store::batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options) {
  return wait_for<BatchGetResult>([&](auto done) { calls::batch_get(*service_, keys, options, std::move(done)); });
}

Result<BatchWriteResult> Store::batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options) {
  return wait_for<BatchWriteResult>(
      [&](auto done) { calls::batch_write(*service_, actions, options, std::move(done)); });
}

Result<TransactWriteResult> Store::transact_write(const std::vector<TransactAction>& actions,
                                                  const TransactWriteOptions& options) {
  return wait_for<TransactWriteResult>(
      [&](auto done) { calls::transact_write(*service_, actions, options, std::move(done)); });
}

Result<TransactGetResult> Store::transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options) {
  return wait_for<TransactGetResult>(
      [&](auto done) { calls::transact_get(*service_, gets, options, std::move(done)); });
}

}  // namespace dolmen
