#include "dolmen/store.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "api/service.h"
#include "base/check.h"
#include "value/item_rules.h"

namespace dolmen {
namespace {

/// Starts an operation and waits for its outcome.
template <class Response, class Start>
Result<Response> wait_for(Start start) {
  std::mutex outcome_mutex;
  std::condition_variable arrived;
  std::optional<Result<Response>> outcome;
  start([&](Result<Response> result) {
    // Notified under the lock: afterwards nothing here may touch the waiter's stack.
    const std::lock_guard lock(outcome_mutex);
    outcome.emplace(std::move(result));
    arrived.notify_one();
  });
  std::unique_lock lock(outcome_mutex);
  arrived.wait(lock, [&] { return outcome.has_value(); });
  return std::move(*outcome);
}

}  // namespace

Store::Store(std::unique_ptr<Service> service) : service_(std::move(service)) {
  DOLMEN_CHECK(service_ != nullptr, "a store needs a service");
}

Store::~Store() = default;

Result<TableDescription> Store::create_table(TableDefinition definition) {
  return wait_for<TableDescription>([&](auto done) { service_->create_table(std::move(definition), std::move(done)); });
}

Result<TableDescription> Store::describe_table(const std::string& name) {
  return wait_for<TableDescription>([&](auto done) { service_->describe_table(name, std::move(done)); });
}

Result<TableDescription> Store::delete_table(const std::string& name) {
  return wait_for<TableDescription>([&](auto done) { service_->delete_table(name, std::move(done)); });
}

Result<TableNamePage> Store::list_tables(const ListTables& request) {
  const ListTablesRequest list{.after = request.after, .limit = request.limit};
  return wait_for<TableNamePage>([&](auto done) { service_->list_tables(list, std::move(done)); });
}

Result<void> Store::put_item(const std::string& table, const Item& item) {
  DOLMEN_TRY_VOID(check_item_rules(item));
  WriteRequest request{.kind = WriteKind::kPut, .table = table, .item = encode_item(item)};
  DOLMEN_TRY_VOID(
      wait_for<WriteResponse>([&](auto done) { service_->write_item(std::move(request), std::move(done)); }));
  return {};
}

Result<std::optional<Item>> Store::get_item(const std::string& table, const Item& key) {
  DOLMEN_TRY_VOID(check_item_rules(key));
  const GetItemRequest request{.table = table, .key = encode_item(key), .consistent_read = true};
  DOLMEN_TRY(const GetItemResponse response,
             wait_for<GetItemResponse>([&](auto done) { service_->get_item(request, std::move(done)); }));
  if (!response.item) return std::nullopt;
  DOLMEN_TRY(Item item, decode_item(response.item->bytes));
  return item;
}

Result<void> Store::delete_item(const std::string& table, const Item& key) {
  DOLMEN_TRY_VOID(check_item_rules(key));
  WriteRequest request{.kind = WriteKind::kDelete, .table = table, .item = encode_item(key)};
  DOLMEN_TRY_VOID(
      wait_for<WriteResponse>([&](auto done) { service_->write_item(std::move(request), std::move(done)); }));
  return {};
}

}  // namespace dolmen
