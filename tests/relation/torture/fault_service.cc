#include "fault_service.h"

#include <fmt/format.h>
#include <set>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/cancelable_engine.h"
#include "value/encoded_item.h"

namespace dolmen::torture {

void FaultService::arm(CrashPoint point) {
  carried_out_ = point.carried_out;
  crash_at_ = calls_ + point.calls + 1;
}

void FaultService::meanwhile(std::uint64_t calls, std::function<void()> what) {
  meanwhile_ = std::move(what);
  meanwhile_at_ = calls_ + calls + 1;
}

void FaultService::revive() {
  lagging_queries_ = 0;
  crash_at_ = 0;
  crashed_ = false;
}

std::vector<std::string> FaultService::complaints() {
  const std::lock_guard lock(complaints_mutex_);
  return complaints_;
}

void FaultService::complain(std::string what) {
  const std::lock_guard lock(complaints_mutex_);
  complaints_.push_back(std::move(what));
}

FaultService::Fate FaultService::next_fate() {
  const std::uint64_t call = ++calls_;
  if (call == meanwhile_at_) meanwhile_();
  if (crashed_) return Fate::kRefuse;
  if (call != crash_at_) return Fate::kCarryOut;
  crashed_ = true;
  return carried_out_ ? Fate::kLose : Fate::kRefuse;
}

template <class Response, class Call>
void FaultService::pass(Done<Response> done, Call call) {
  switch (next_fate()) {
    case Fate::kCarryOut: return call(std::move(done));
    case Fate::kRefuse: return done(fail(Code::kClosed, "crashed"));
    case Fate::kLose:
      return call(Done<Response>([done = std::move(done)](Result<Response>) mutable {
        done(fail(Code::kClosed, "crashed before the answer came"));
      }));
  }
}

void FaultService::create_table(TableDefinition definition, Done<TableDescription> done) {
  below_.create_table(std::move(definition), std::move(done));
}
void FaultService::describe_table(const std::string& name, Done<TableDescription> done) {
  below_.describe_table(name, std::move(done));
}
void FaultService::delete_table(const std::string& name, Done<TableDescription> done) {
  below_.delete_table(name, std::move(done));
}
void FaultService::list_tables(const ListTablesRequest& request, Done<TableNamePage> done) {
  below_.list_tables(request, std::move(done));
}

void FaultService::write_item(WriteRequest request, Done<WriteResponse> done) {
  pass(std::move(done), [&](Done<WriteResponse> next) { below_.write_item(std::move(request), std::move(next)); });
}
void FaultService::get_item(const GetItemRequest& request, Done<GetItemResponse> done) {
  pass(std::move(done), [&](Done<GetItemResponse> next) { below_.get_item(request, std::move(next)); });
}
void FaultService::read_many(const ReadManyRequest& request, Done<ReadManyResponse> done) {
  if (!request.key_condition) complain("a scan");
  if (request.index == "InvertedIndex" && lagging_queries_ > 0) {
    --lagging_queries_;
    done = [done = std::move(done)](Result<ReadManyResponse> response) mutable {
      if (response && !response->items.empty()) response->items.pop_back();
      done(std::move(response));
    };
  }
  pass(std::move(done), [&](Done<ReadManyResponse> next) { below_.read_many(request, std::move(next)); });
}
void FaultService::batch_get(const BatchGetRequest& request, Done<BatchGetResponse> done) {
  pass(std::move(done), [&](Done<BatchGetResponse> next) { below_.batch_get(request, std::move(next)); });
}
void FaultService::batch_write(BatchWriteRequest request, Done<BatchWriteResponse> done) {
  pass(std::move(done),
       [&](Done<BatchWriteResponse> next) { below_.batch_write(std::move(request), std::move(next)); });
}
void FaultService::transact_write(TransactWriteRequest request, Done<TransactWriteResponse> done) {
  check(request);
  pass(std::move(done),
       [&](Done<TransactWriteResponse> next) { below_.transact_write(std::move(request), std::move(next)); });
}
void FaultService::transact_get(const TransactGetRequest& request, Done<TransactGetResponse> done) {
  if (request.gets.size() > limits::kTransactionActions) complain("a transaction of too many reads");
  pass(std::move(done), [&](Done<TransactGetResponse> next) { below_.transact_get(request, std::move(next)); });
}

std::unique_ptr<Service> FaultService::cancelable(std::stop_token stop) {
  return engine::cancelable_engine(*this, std::move(stop));
}

void FaultService::check(const TransactWriteRequest& request) {
  if (request.writes.size() > limits::kTransactionActions)
    complain(fmt::format("a transaction of {} actions", request.writes.size()));
  std::size_t bytes = 0;
  std::set<std::string> keys;
  for (const WriteRequest& write : request.writes) {
    bytes += item_size(write.item.bytes);
    const Result<Item> item = decode_item(write.item.bytes);
    if (!item) {
      complain("an item that cannot be read");
      continue;
    }
    const std::string key = item->at("PK").string() + "\n" + item->at("SK").string();
    if (!keys.insert(key).second) complain("two actions on one item: " + key);
  }
  if (bytes > limits::kTransactionBytes) complain(fmt::format("a transaction of {} bytes", bytes));
}

}  // namespace dolmen::torture
