#include "base/fail.h"
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

Result<void> check_request(const PageRequest& request) {
  if (request.id.empty() || request.hash.empty())
    return fail(Code::kInvalidArgument, "a request needs an id and a hash");
  return {};
}

}  // namespace

/// Writes the item of a request in progress if the condition holds, otherwise returns false. Uses a transaction: when
/// an answer is lost, the store repeats it with the same token and gets the outcome of the first, so that no request is
/// left begun without an owner.
Result<bool> PageCache::claim_request(const PageKey& key, const PageRequest& request, const Condition& condition) {
  PutAction started{
      .table = leases_.table(), .item = key_of(key, isr::request_sort(request.id)), .condition = condition};
  started.item.set(isr::kRequestHash, request.hash);
  started.item.set(isr::kStatus, isr::kStarted);
  started.item.set(ttl_name(), saturating_add(now_seconds(), options_.request_lifetime.count()));
  const Result<void> put = transact([&] { return std::vector<TransactAction>{started}; });
  if (put) return true;
  const std::vector<TransactFailure> failures = transact_failures(put.error());
  if (failures.size() == 1 && failures[0].reason == "ConditionalCheckFailed") return false;
  return std::unexpected(put.error());
}

/// Reads before it writes, because callers that wait for another's request ask again and again.
Result<RequestState> PageCache::begin_request(const PageKey& key, const PageRequest& request) {
  DOLMEN_TRY_VOID(check_request(request));
  const Item at = key_of(key, isr::request_sort(request.id));
  for (int i = 0; i < kRequestLooksMax; ++i) {
    DOLMEN_TRY(const GetResult found, store_->get_item(leases_.table(), at));
    if (found.item && !is_over(*found.item, ttl_name(), now_seconds())) {
      DOLMEN_TRY(RequestState state, state_in(*found.item, request));
      if (state.status != RequestStatus::kFailed) return state;
    }
    const Condition gone =
        attr(leases_.options().attributes.partition_key).not_exists() || attr(ttl_name()) <= now_seconds();
    const Condition failed = attr(isr::kStatus) == isr::kFailed && attr(isr::kRequestHash) == request.hash;
    DOLMEN_TRY(const bool is_mine, claim_request(key, request, gone || failed));
    if (is_mine) return RequestState{.is_mine = true};
  }
  // Others have begun it and failed each time between these reads. The caller may ask again.
  return RequestState{.status = RequestStatus::kFailed};
}

/// Nothing is left of a completed request, so the caller carries it out again. False when another one was faster.
Result<bool> PageCache::take_over_request(const PageKey& key, const PageRequest& request, const RequestState& lost) {
  const Path result = attr(isr::kResult);
  return claim_request(key, request,
                       attr(isr::kStatus) == isr::kCompleted && attr(isr::kRequestHash) == request.hash &&
                           (lost.result_s3_key ? result == *lost.result_s3_key : !result.is(Type::kString)));
}

Result<void> PageCache::fail_request(const PageKey& key, const PageRequest& request) {
  DOLMEN_TRY_VOID(check_request(request));
  Update failed;
  failed.set(attr(isr::kStatus), isr::kFailed);
  const Result<WriteResult> written = store_->update_item(
      leases_.table(), key_of(key, isr::request_sort(request.id)), failed,
      {.condition = attr(isr::kStatus) == isr::kStarted && attr(isr::kRequestHash) == request.hash});
  if (!written && written.error().code() != Code::kConditionFailed) return std::unexpected(written.error());
  return {};
}

}  // namespace dolmen
