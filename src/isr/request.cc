#include "base/fail.h"
#include "dolmen/isr.h"
#include "isr/items.h"

namespace dolmen {
namespace {

std::string text_in(const Item& item, const char* attribute) {
  const AttributeValue* value = item.find(attribute);
  const std::string* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text == nullptr ? "" : *text;
}

Result<RequestStatus> status_in(const Item& item) {
  const std::string status = text_in(item, isr::kStatus);
  if (status == isr::kStarted) return RequestStatus::kStarted;
  if (status == isr::kCompleted) return RequestStatus::kCompleted;
  if (status == isr::kFailed) return RequestStatus::kFailed;
  return fail(Code::kValidation, "the status of a request is STARTED, COMPLETED or FAILED, not \"{}\"", status);
}

Result<void> check_request(const PageRequest& request) {
  if (request.id.empty() || request.hash.empty())
    return fail(Code::kInvalidArgument, "a request needs an id and a hash");
  return {};
}

}  // namespace

/// An item whose time to live is over may be there or not; it counts as gone.
Result<RequestState> PageCache::begin_request(const PageKey& key, const PageRequest& request) {
  DOLMEN_TRY_VOID(check_request(request));
  const LeaseAttributes& names = leases_.options().attributes;
  const std::string ttl = names.ttl.empty() ? "ttl" : names.ttl;
  const Item at = key_of(key, isr::request_sort(request.id));
  Item started = at;
  started.set(isr::kRequestHash, request.hash);
  started.set(isr::kStatus, isr::kStarted);
  started.set(ttl, now_seconds() + options_.request_lifetime.count());
  const Condition gone = attr(names.partition_key).not_exists() || attr(ttl) <= now_seconds();
  const Condition failed = attr(isr::kStatus) == isr::kFailed && attr(isr::kRequestHash) == request.hash;
  const Result<WriteResult> put = store_->put_item(leases_.table(), started, {.condition = gone || failed});
  if (put) return RequestState{.is_mine = true};
  if (put.error().code() != Code::kConditionFailed) return std::unexpected(put.error());

  DOLMEN_TRY(const GetResult found, store_->get_item(leases_.table(), at));
  // Gone between the two: somebody purged the page. Whoever asks again begins anew.
  if (!found.item) return RequestState{.status = RequestStatus::kFailed};
  if (text_in(*found.item, isr::kRequestHash) != request.hash)
    return fail(Code::kIdempotencyMismatch, "the request {} was something else before", request.id);
  RequestState state;
  DOLMEN_TRY(state.status, status_in(*found.item));
  if (found.item->contains(isr::kResult)) state.result_s3_key = text_in(*found.item, isr::kResult);
  return state;
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
