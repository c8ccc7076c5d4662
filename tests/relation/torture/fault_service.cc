#include "fault_service.h"

#include <fmt/format.h>
#include <set>

#include "base/fail.h"
#include "base/limits.h"
#include "service/cancelable.h"
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

FaultService::FaultService(Store& store) : below_(store.service()) {}
FaultService::~FaultService() = default;

template <class Op>
void FaultService::perform(typename Op::Request request, Done<typename Op::Response> done) {
  using Response = typename Op::Response;
  // Tables are made and removed by the test, not by what is tested.
  if constexpr (Op::kInfo.family == OperationFamily::kTables)
    return below_.start(Op{}, std::move(request), std::move(done));
  if constexpr (std::is_same_v<Op, Scan>) complain("a scan");
  if constexpr (std::is_same_v<Op, TransactWriteItems>) check(request);
  if constexpr (std::is_same_v<Op, TransactGetItems>)
    if (request.gets.size() > limits::kTransactionActions) complain("a transaction of too many reads");
  if constexpr (std::is_same_v<Op, Query>)
    if (request.index == "InvertedIndex" && lagging_queries_ > 0) {
      --lagging_queries_;
      done = [done = std::move(done)](Result<Response> response) mutable {
        if (response && !response->items.empty()) response->items.pop_back();
        done(std::move(response));
      };
    }
  switch (next_fate()) {
    case Fate::kCarryOut: return below_.start(Op{}, std::move(request), std::move(done));
    case Fate::kRefuse: return done(fail(Code::kClosed, "crashed"));
    case Fate::kLose:
      return below_.start(Op{}, std::move(request), [done = std::move(done)](Result<Response>) mutable {
        done(fail(Code::kClosed, "crashed before the answer came"));
      });
  }
}

std::unique_ptr<Service> FaultService::cancelable(std::stop_token stop, detail::Companions& /*companions*/) {
  return until_stopped(*this, std::move(stop));
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
