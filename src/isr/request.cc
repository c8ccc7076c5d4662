#include <algorithm>

#include "base/fail.h"
#include "base/random.h"
#include "base/saturating.h"
#include "dolmen/isr/isr.h"
#include "isr/items.h"
#include "value/item_text.h"

namespace dolmen {
namespace {

/// Others may begin a request between reading and beginning it, but not endlessly.
constexpr int kRequestLooksMax = 3;

Result<RequestStatus> status_in(const Item& item) {
  const std::string status = text_of(item, isr::kStatus);
  if (status == isr::kStarted) return RequestStatus::kStarted;
  if (status == isr::kCompleted) return RequestStatus::kCompleted;
  if (status == isr::kFailed) return RequestStatus::kFailed;
  return fail(Code::kValidation, "the status of a request is STARTED, COMPLETED or FAILED, not \"{}\"", status);
}

/// An item whose time to live is over counts as deleted, even if it still exists.
bool is_over(const Item& item, const std::string& ttl, std::int64_t now) {
  const AttributeValue* value = item.find(ttl);
  const Number* end = value == nullptr ? nullptr : value->get_if<Number>();
  return end != nullptr && *end <= Number(now);
}

Result<RequestState> state_in(const Item& item, const PageRequest& request) {
  if (text_of(item, isr::kRequestHash) != request.hash)
    return fail(Code::kIdempotencyMismatch, "the request {} was used with another hash before", request.id);
  RequestState state;
  DOLMEN_TRY(state.status, status_in(item));
  const AttributeValue* result = item.find(isr::kResult);
  if (result != nullptr && result->type() == Type::kString) state.result_s3_key = result->string();
  return state;
}

/// A request that its holder has had time for; one of another program, which does not say, is its holder's for ever.
bool is_abandoned(const Item& item, std::int64_t now) {
  const AttributeValue* value = item.find(isr::kRequestEnd);
  const Number* end = value == nullptr ? nullptr : value->get_if<Number>();
  return end != nullptr && *end <= Number(now);
}

Result<void> check_request(const PageRequest& request) {
  if (request.id.empty() || request.hash.empty())
    return fail(Code::kInvalidArgument, "a request needs an id and a hash");
  return {};
}

}  // namespace

/// Writes the item of a request in progress if the condition holds, otherwise returns nothing. Uses a transaction: when
/// an answer is lost, the store repeats it with the same token and gets the outcome of the first, so that no request is
/// left begun without an owner.
Result<std::optional<RequestState>> PageCache::claim_request(const PageKey& key, const PageRequest& request,
                                                             const Condition& condition,
                                                             std::optional<CheckAction> check) {
  FunctionRandom random(leases_.options().random);
  RequestState mine{.is_mine = true, .token = random_uuid(random)};
  PutAction started{
      .table = leases_.table(), .item = key_of(key, isr::request_sort(request.id)), .condition = condition};
  started.item.set(isr::kRequestHash, request.hash);
  started.item.set(isr::kStatus, isr::kStarted);
  started.item.set(isr::kRequestToken, mine.token);
  started.item.set(isr::kRequestEnd,
                   std::chrono::ceil<std::chrono::seconds>(now() + options_.lease_length).time_since_epoch().count());
  started.item.set(ttl_name(), saturating_add(now_seconds(), options_.request_lifetime.count()));
  std::vector<TransactAction> actions{std::move(started)};
  if (check) actions.emplace_back(std::move(*check));
  const Result<void> put = transact([&] { return actions; });
  if (put) return mine;
  const std::vector<TransactFailure> failures = transact_failures(put.error());
  if (std::ranges::find(failures, "ConditionalCheckFailed", &TransactFailure::reason) != failures.end())
    return std::nullopt;
  return std::unexpected(put.error());
}

/// The holder of an abandoned request may be generating the page for it, under a lease that it refreshes.
Result<std::optional<RequestState>> PageCache::claim_abandoned(const PageKey& key, const PageRequest& request,
                                                               const Item& seen) {
  const LeaseAttributes& names = leases_.options().attributes;
  CheckAction free{.table = leases_.table(), .key = key_of(key, isr::kLock)};
  free.condition = attr(names.partition_key).not_exists() || attr(names.expires_at) <= now_seconds();
  return claim_request(key, request,
                       attr(isr::kStatus) == isr::kStarted && attr(isr::kRequestHash) == request.hash &&
                           attr(isr::kRequestEnd) == seen.at(isr::kRequestEnd),
                       std::move(free));
}

/// Reads before it writes, because callers that wait for another's request ask again and again.
Result<RequestState> PageCache::begin_request(const PageKey& key, const PageRequest& request) {
  DOLMEN_TRY_VOID(check_request(request));
  const Item at = key_of(key, isr::request_sort(request.id));
  for (int i = 0; i < kRequestLooksMax; ++i) {
    DOLMEN_TRY(const GetResult found, store_->get_item(leases_.table(), at));
    if (found.item && !is_over(*found.item, ttl_name(), now_seconds())) {
      DOLMEN_TRY(RequestState state, state_in(*found.item, request));
      if (state.status == RequestStatus::kStarted && is_abandoned(*found.item, now_seconds())) {
        DOLMEN_TRY(const std::optional<RequestState> taken, claim_abandoned(key, request, *found.item));
        return taken.value_or(state);
      }
      if (state.status != RequestStatus::kFailed) return state;
    }
    const Condition gone =
        attr(leases_.options().attributes.partition_key).not_exists() || attr(ttl_name()) <= now_seconds();
    const Condition failed = attr(isr::kStatus) == isr::kFailed && attr(isr::kRequestHash) == request.hash;
    DOLMEN_TRY(const std::optional<RequestState> mine, claim_request(key, request, gone || failed));
    if (mine) return *mine;
  }
  // Others have begun it and failed each time between these reads. The caller may ask again.
  return RequestState{.status = RequestStatus::kFailed};
}

/// Nothing is left of a completed request, so the caller carries it out again; unless another one was faster.
Result<std::optional<RequestState>> PageCache::take_over_request(const PageKey& key, const PageRequest& request,
                                                                 const RequestState& lost) {
  const Path result = attr(isr::kResult);
  return claim_request(key, request,
                       attr(isr::kStatus) == isr::kCompleted && attr(isr::kRequestHash) == request.hash &&
                           (lost.result_s3_key ? result == *lost.result_s3_key : !result.is(Type::kString)));
}

Condition PageCache::is_under_way(const PageRequest& request) {
  Condition begun = attr(isr::kStatus) == isr::kStarted && attr(isr::kRequestHash) == request.hash;
  return request.token.empty() ? begun : std::move(begun) && attr(isr::kRequestToken) == request.token;
}

Result<bool> PageCache::still_mine(const PageKey& key, const PageRequest& request) {
  DOLMEN_TRY(const GetResult found, store_->get_item(leases_.table(), key_of(key, isr::request_sort(request.id))));
  return found.item && text_of(*found.item, isr::kStatus) == isr::kStarted &&
         text_of(*found.item, isr::kRequestToken) == request.token;
}

Result<void> PageCache::fail_request(const PageKey& key, const PageRequest& request) {
  DOLMEN_TRY_VOID(check_request(request));
  Update failed;
  failed.set(attr(isr::kStatus), isr::kFailed).remove(attr(isr::kRequestToken)).remove(attr(isr::kRequestEnd));
  const Result<WriteResult> written = store_->update_item(leases_.table(), key_of(key, isr::request_sort(request.id)),
                                                          failed, {.condition = is_under_way(request)});
  if (!written && written.error().code() != Code::kConditionFailed) return std::unexpected(written.error());
  return {};
}

}  // namespace dolmen
