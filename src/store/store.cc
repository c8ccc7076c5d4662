#include "dolmen/store.h"

#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "service/internal_tables.h"
#include "service/service.h"
#include "service/wait.h"
#include "store/missing_table.h"
#include "store/store_forks.h"
#include "store/translate.h"

namespace dolmen {
namespace {

/// A callback that runs `done` on the executor, if there is one.
template <class T>
Callback<T> run_by(const Executor& executor, Callback<T> done) {
  if (!executor) return done;
  return [executor, done = std::move(done)](Result<T> result) mutable {
    executor([done = std::move(done), result = std::move(result)]() mutable { done(std::move(result)); });
  };
}

/// The request of a user's call, and the conversion of its response to the user's type.
template <class Op, class Read>
struct Asked {
  Result<typename Op::Request> request;
  Read read;
};

template <class Op, class Read>
Asked<Op, Read> ask(Result<typename Op::Request> request, Read read) {
  return {std::move(request), std::move(read)};
}

template <class Op>
auto ask(Result<typename Op::Request> request) {
  return ask<Op>(std::move(request),
                 [](typename Op::Response response) { return translate::result(std::move(response)); });
}

/// `done` runs on the thread on which the service answers, or at once when the request itself is refused.
template <class T, class Op, class Read>
void start(Service& service, Asked<Op, Read> asked, Callback<T> done) {
  if (!asked.request) return done(std::unexpected(std::move(asked.request).error()));
  AskedTables tables(*asked.request);
  service.start(Op{}, *std::move(asked.request),
                [tables = std::move(tables), read = std::move(asked.read),
                 done = std::move(done)](Result<typename Op::Response> response) mutable {
                  if (!response) return done(std::unexpected(tables.named_in(std::move(response).error())));
                  done(read(*std::move(response)));
                });
}

/// Does not use the executor, whose thread may be the one that waits.
template <class T, class Op, class Read>
Result<T> answer(Service& service, Asked<Op, Read> asked) {
  return wait_for<T>([&](Callback<T> done) { start<T>(service, std::move(asked), std::move(done)); });
}

// ---- The request of each call ----

template <class Op>
auto ask_about_table(typename Op::Request request, const std::string& name) {
  Result<void> allowed = check_for_users(name);
  return ask<Op>(allowed ? Result<typename Op::Request>(std::move(request))
                         : std::unexpected(std::move(allowed).error()));
}

auto ask_create(TableDefinition definition) {
  std::string name = definition.name;
  return ask_about_table<CreateTable>(std::move(definition), name);
}
auto ask_describe(const std::string& name) { return ask_about_table<DescribeTable>({.table = name}, name); }
auto ask_update(TableUpdate update) {
  std::string name = update.table;
  return ask_about_table<UpdateTable>(std::move(update), name);
}
auto ask_delete(const std::string& name) { return ask_about_table<DeleteTable>({.table = name}, name); }
auto ask_list(const ListTables& request) {
  return ask<ListTableNames>(ListTablesRequest{.after = request.after, .limit = request.limit});
}

auto ask_update_time_to_live(const std::string& table, const TimeToLiveChange& change) {
  return ask_about_table<UpdateTimeToLive>({.table = table, .change = change}, table);
}
auto ask_describe_time_to_live(const std::string& table) {
  return ask_about_table<DescribeTimeToLive>({.table = table}, table);
}

auto ask_update_continuous_backups(const std::string& table, const PointInTimeChange& change) {
  return ask_about_table<UpdateContinuousBackups>({.table = table, .change = change}, table);
}
auto ask_describe_continuous_backups(const std::string& table) {
  return ask_about_table<DescribeContinuousBackups>({.table = table}, table);
}
auto ask_restore(RestoreToPointInTime request) {
  std::string target = request.target;
  return ask_about_table<RestoreTableToPointInTime>(std::move(request), target);
}
auto ask_restore(RestoreFromBackup request) {
  std::string target = request.target;
  return ask_about_table<RestoreTableFromBackup>(std::move(request), target);
}
auto ask_create_backup(const std::string& table, const std::string& name) {
  return ask_about_table<CreateBackup>({.table = table, .name = name}, table);
}

auto ask_tag(const std::string& arn, const std::map<std::string, std::string>& tags) {
  TagResourceRequest request{.arn = arn, .tags = {}};
  for (const auto& [key, value] : tags) request.tags.push_back({.key = key, .value = value});
  return ask<TagResource>(std::move(request));
}
auto ask_untag(const std::string& arn, const std::vector<std::string>& keys) {
  return ask<UntagResource>(UntagResourceRequest{.arn = arn, .keys = keys});
}

auto ask_batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options) {
  return ask<BatchGetItem>(translate::batch_get(keys, options),
                           [keys](const BatchGetResponse& response) { return translate::result(keys, response); });
}

auto ask_batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options) {
  Result<translate::BatchWritePlan> plan = translate::batch_write(actions, options);
  std::vector<std::size_t> order = plan ? std::move(plan->order) : std::vector<std::size_t>();
  return ask<BatchWriteItem>(
      plan ? Result<BatchWriteRequest>(std::move(plan->request)) : std::unexpected(std::move(plan).error()),
      [actions, order = std::move(order)](BatchWriteResponse response) {
        return translate::result(actions, order, std::move(response));
      });
}

/// The range of a SELECT goes on after a token, which it keeps as the attribute of an item.
constexpr std::string_view kPosition = "NextToken";

Item position_of(const std::string& token) { return {{std::string(kPosition), token}}; }

/// A page of a query or scan that continues after a key.
template <class Options>
Options page_options(const Options& options, const std::optional<Item>& start_after, std::uint32_t remaining) {
  Options page = options;
  page.start_after = start_after;
  // With a filter it is unknown how many items must be read to find that many.
  page.limit = options.filter.empty() ? remaining : 0;
  return page;
}

template <class Op>
Result<Counted> count_pages(Service& service, Result<ReadManyRequest> request) {
  if (!request) return std::unexpected(std::move(request).error());
  request->select = Select::kCount;
  request->limit = std::nullopt;
  Counted counted;
  do {
    Result<ReadManyResponse> page = call<Op>(service, *request);
    if (!page) return std::unexpected(AskedTables(*request).named_in(std::move(page).error()));
    counted.count += page->count;
    counted.scanned_count += page->scanned_count;
    request->start_key = std::move(page->last_key);
  } while (request->start_key);
  return counted;
}

}  // namespace

Store::Store(std::unique_ptr<Service> service, detail::Companions companions, Executor executor)
    : companions_(std::move(companions)), service_(std::move(service)), executor_(std::move(executor)) {
  DOLMEN_CHECK(service_ != nullptr, "a store needs a service");
}

Store::~Store() = default;

// ---- Tables ----

Result<TableDescription> Store::create_table(TableDefinition definition) {
  return answer<TableDescription>(*service_, ask_create(std::move(definition)));
}

void Store::async_create_table(TableDefinition definition, Callback<TableDescription> done) {
  start(*service_, ask_create(std::move(definition)), run_by(executor_, std::move(done)));
}

Result<std::unique_ptr<Store>> Store::fork(const std::string& directory) {
  if (auto* forks = companions_.find<StoreForks>()) return forks->fork(directory);
  return fail(Code::kUnsupported, "only a store in this process can be forked; copy the tables of others");
}

Result<TableDescription> Store::describe_table(const std::string& name) {
  return answer<TableDescription>(*service_, ask_describe(name));
}

void Store::async_describe_table(const std::string& name, Callback<TableDescription> done) {
  start(*service_, ask_describe(name), run_by(executor_, std::move(done)));
}

Result<TableDescription> Store::update_table(TableUpdate update) {
  return answer<TableDescription>(*service_, ask_update(std::move(update)));
}

void Store::async_update_table(TableUpdate update, Callback<TableDescription> done) {
  start(*service_, ask_update(std::move(update)), run_by(executor_, std::move(done)));
}

Result<TableDescription> Store::delete_table(const std::string& name) {
  return answer<TableDescription>(*service_, ask_delete(name));
}

void Store::async_delete_table(const std::string& name, Callback<TableDescription> done) {
  start(*service_, ask_delete(name), run_by(executor_, std::move(done)));
}

Result<TableNamePage> Store::list_tables(const ListTables& request) {
  return answer<TableNamePage>(*service_, ask_list(request));
}

void Store::async_list_tables(const ListTables& request, Callback<TableNamePage> done) {
  start(*service_, ask_list(request), run_by(executor_, std::move(done)));
}

// ---- Backups and points in time ----

Result<ContinuousBackups> Store::update_continuous_backups(const std::string& table, const PointInTimeChange& change) {
  return answer<ContinuousBackups>(*service_, ask_update_continuous_backups(table, change));
}

Result<ContinuousBackups> Store::describe_continuous_backups(const std::string& table) {
  return answer<ContinuousBackups>(*service_, ask_describe_continuous_backups(table));
}

Result<TableDescription> Store::restore_to_point_in_time(RestoreToPointInTime request) {
  return answer<TableDescription>(*service_, ask_restore(std::move(request)));
}

Result<TableDescription> Store::restore_from_backup(RestoreFromBackup request) {
  return answer<TableDescription>(*service_, ask_restore(std::move(request)));
}

Result<BackupDetails> Store::create_backup(const std::string& table, const std::string& name) {
  return answer<BackupDetails>(*service_, ask_create_backup(table, name));
}

Result<BackupDescription> Store::describe_backup(const std::string& arn) {
  return answer<BackupDescription>(*service_, ask<DescribeBackup>(DescribeBackupRequest{.arn = arn}));
}

Result<BackupDescription> Store::delete_backup(const std::string& arn) {
  return answer<BackupDescription>(*service_, ask<DeleteBackup>(DeleteBackupRequest{.arn = arn}));
}

Result<BackupPage> Store::list_backups(ListBackupsOptions options) {
  return answer<BackupPage>(*service_, ask<ListBackups>(std::move(options)));
}

// ---- One item ----

Result<TimeToLiveChange> Store::update_time_to_live(const std::string& table, const TimeToLiveChange& change) {
  return answer<TimeToLiveChange>(*service_, ask_update_time_to_live(table, change));
}

void Store::async_update_time_to_live(const std::string& table, const TimeToLiveChange& change,
                                      Callback<TimeToLiveChange> done) {
  start(*service_, ask_update_time_to_live(table, change), run_by(executor_, std::move(done)));
}

Result<TimeToLive> Store::describe_time_to_live(const std::string& table) {
  return answer<TimeToLive>(*service_, ask_describe_time_to_live(table));
}

void Store::async_describe_time_to_live(const std::string& table, Callback<TimeToLive> done) {
  start(*service_, ask_describe_time_to_live(table), run_by(executor_, std::move(done)));
}

Result<void> Store::tag_resource(const std::string& arn, const std::map<std::string, std::string>& tags) {
  return answer<void>(*service_, ask_tag(arn, tags));
}

void Store::async_tag_resource(const std::string& arn, const std::map<std::string, std::string>& tags,
                               Callback<void> done) {
  start(*service_, ask_tag(arn, tags), run_by(executor_, std::move(done)));
}

Result<void> Store::untag_resource(const std::string& arn, const std::vector<std::string>& keys) {
  return answer<void>(*service_, ask_untag(arn, keys));
}

void Store::async_untag_resource(const std::string& arn, const std::vector<std::string>& keys, Callback<void> done) {
  start(*service_, ask_untag(arn, keys), run_by(executor_, std::move(done)));
}

Result<std::map<std::string, std::string>> Store::tags_of(const std::string& arn) {
  std::map<std::string, std::string> tags;
  ListTagsOfResourceRequest request{.arn = arn};
  do {
    DOLMEN_TRY(ListTagsOfResourceResponse page, call<ListTagsOfResource>(*service_, request));
    for (Tag& tag : page.tags) tags.insert_or_assign(std::move(tag.key), std::move(tag.value));
    request.next_token = std::move(page.next_token);
  } while (request.next_token);
  return tags;
}

Result<WriteResult> Store::put_item(const std::string& table, const Item& item, const PutOptions& options) {
  return answer<WriteResult>(*service_, ask<PutItem>(translate::put(table, item, options)));
}

void Store::async_put_item(const std::string& table, const Item& item, const PutOptions& options,
                           Callback<WriteResult> done) {
  start(*service_, ask<PutItem>(translate::put(table, item, options)), run_by(executor_, std::move(done)));
}

Result<GetResult> Store::get_item(const std::string& table, const Item& key, const GetOptions& options) {
  return answer<GetResult>(*service_, ask<GetItem>(translate::get(table, key, options)));
}

void Store::async_get_item(const std::string& table, const Item& key, const GetOptions& options,
                           Callback<GetResult> done) {
  start(*service_, ask<GetItem>(translate::get(table, key, options)), run_by(executor_, std::move(done)));
}

Result<WriteResult> Store::update_item(const std::string& table, const Item& key, const Update& update,
                                       const UpdateOptions& options) {
  return answer<WriteResult>(
      *service_, ask<UpdateItem>(translate::update({.table = table, .key = key, .update = update}, options)));
}

void Store::async_update_item(const UpdateAction& action, const UpdateOptions& options, Callback<WriteResult> done) {
  start(*service_, ask<UpdateItem>(translate::update(action, options)), run_by(executor_, std::move(done)));
}

Result<WriteResult> Store::delete_item(const std::string& table, const Item& key, const DeleteOptions& options) {
  return answer<WriteResult>(*service_, ask<DeleteItem>(translate::remove(table, key, options)));
}

void Store::async_delete_item(const std::string& table, const Item& key, const DeleteOptions& options,
                              Callback<WriteResult> done) {
  start(*service_, ask<DeleteItem>(translate::remove(table, key, options)), run_by(executor_, std::move(done)));
}

// ---- Many items ----

Result<Page> Store::query_page(const std::string& table, const QueryOptions& options) {
  return answer<Page>(*service_, ask<Query>(translate::query(table, options)));
}

void Store::async_query_page(const std::string& table, const QueryOptions& options, Callback<Page> done) {
  start(*service_, ask<Query>(translate::query(table, options)), run_by(executor_, std::move(done)));
}

Result<VectorHits> Store::search_vectors(const std::string& table, const std::string& index,
                                         std::span<const float> vector, const VectorSearchOptions& options) {
  return answer<VectorHits>(*service_, ask<SearchVectors>(translate::search_vectors(table, index, vector, options)));
}

void Store::async_search_vectors(const std::string& table, const std::string& index, std::span<const float> vector,
                                 const VectorSearchOptions& options, Callback<VectorHits> done) {
  start(*service_, ask<SearchVectors>(translate::search_vectors(table, index, vector, options)),
        run_by(executor_, std::move(done)));
}

Result<Page> Store::scan_page(const std::string& table, const ScanOptions& options) {
  return answer<Page>(*service_, ask<Scan>(translate::scan(table, options)));
}

void Store::async_scan_page(const std::string& table, const ScanOptions& options, Callback<Page> done) {
  start(*service_, ask<Scan>(translate::scan(table, options)), run_by(executor_, std::move(done)));
}

StreamRange Store::stream(const std::string& table, StreamOptions options) {
  return {*service_, table, std::move(options)};
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

Result<Counted> Store::count(const std::string& table, const QueryOptions& options) {
  return count_pages<Query>(*service_, translate::query(table, options));
}

Result<Counted> Store::count(const std::string& table, const ScanOptions& options) {
  return count_pages<Scan>(*service_, translate::scan(table, options));
}

// ---- Batches and transactions ----

Result<BatchGetResult> Store::batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options) {
  return answer<BatchGetResult>(*service_, ask_batch_get(keys, options));
}

void Store::async_batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options,
                            Callback<BatchGetResult> done) {
  start(*service_, ask_batch_get(keys, options), run_by(executor_, std::move(done)));
}

Result<BatchWriteResult> Store::batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options) {
  return answer<BatchWriteResult>(*service_, ask_batch_write(actions, options));
}

void Store::async_batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options,
                              Callback<BatchWriteResult> done) {
  start(*service_, ask_batch_write(actions, options), run_by(executor_, std::move(done)));
}

Result<TransactWriteResult> Store::transact_write(const std::vector<TransactAction>& actions,
                                                  const TransactWriteOptions& options) {
  return answer<TransactWriteResult>(*service_, ask<TransactWriteItems>(translate::transact_write(actions, options)));
}

void Store::async_transact_write(const std::vector<TransactAction>& actions, const TransactWriteOptions& options,
                                 Callback<TransactWriteResult> done) {
  start(*service_, ask<TransactWriteItems>(translate::transact_write(actions, options)),
        run_by(executor_, std::move(done)));
}

Result<TransactGetResult> Store::transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options) {
  return answer<TransactGetResult>(*service_, ask<TransactGetItems>(translate::transact_get(gets, options)));
}

void Store::async_transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options,
                               Callback<TransactGetResult> done) {
  start(*service_, ask<TransactGetItems>(translate::transact_get(gets, options)), run_by(executor_, std::move(done)));
}

// ---- Statements ----

Result<std::vector<Item>> Store::execute(const std::string& statement, const std::vector<AttributeValue>& parameters,
                                         const StatementOptions& options) {
  return select(statement, parameters, options).all();
}

ItemRange Store::select(const std::string& statement, std::vector<AttributeValue> parameters,
                        StatementOptions options) {
  std::optional<Item> start;
  if (options.next_token) start = position_of(*options.next_token);
  const std::uint32_t limit = options.limit;
  return ItemRange(
      [this, statement, parameters = std::move(parameters), options = std::move(options)](
          const std::optional<Item>& start_after, std::uint32_t /*remaining*/) mutable -> Result<Page> {
        options.next_token = start_after ? std::optional(start_after->at(kPosition).string()) : std::nullopt;
        DOLMEN_TRY(StatementPage page, execute_page(statement, parameters, options));
        Page read{.items = std::move(page.items), .capacity = std::move(page.capacity)};
        if (page.next_token) read.last_key = position_of(*page.next_token);
        return read;
      },
      std::move(start), limit);
}

Result<StatementPage> Store::execute_page(const std::string& statement, const std::vector<AttributeValue>& parameters,
                                          const StatementOptions& options) {
  return answer<StatementPage>(
      *service_, ask<ExecuteStatement>(translate::statement({.text = statement, .parameters = parameters}, options)));
}

void Store::async_execute_page(const StatementCall& statement, const StatementOptions& options,
                               Callback<StatementPage> done) {
  start(*service_, ask<ExecuteStatement>(translate::statement(statement, options)), run_by(executor_, std::move(done)));
}

Result<BatchExecuteResult> Store::batch_execute(const std::vector<StatementCall>& statements,
                                                const BatchExecuteOptions& options) {
  return answer<BatchExecuteResult>(*service_,
                                    ask<BatchExecuteStatement>(translate::batch_execute(statements, options)));
}

void Store::async_batch_execute(const std::vector<StatementCall>& statements, const BatchExecuteOptions& options,
                                Callback<BatchExecuteResult> done) {
  start(*service_, ask<BatchExecuteStatement>(translate::batch_execute(statements, options)),
        run_by(executor_, std::move(done)));
}

Result<TransactExecuteResult> Store::transact_execute(const std::vector<StatementCall>& statements,
                                                      const TransactExecuteOptions& options) {
  return answer<TransactExecuteResult>(*service_,
                                       ask<ExecuteTransaction>(translate::transact_execute(statements, options)));
}

void Store::async_transact_execute(const std::vector<StatementCall>& statements, const TransactExecuteOptions& options,
                                   Callback<TransactExecuteResult> done) {
  start(*service_, ask<ExecuteTransaction>(translate::transact_execute(statements, options)),
        run_by(executor_, std::move(done)));
}

}  // namespace dolmen
