#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/fail.h"
#include "base/random.h"
#include "base/saturating.h"
#include "dolmen/isr/etag.h"
#include "dolmen/isr/isr.h"
#include "isr/http_text.h"
#include "isr/items.h"
#include "isr/page_memory.h"
#include "lease/pause.h"
#include "store/transact_reasons.h"

namespace dolmen {
namespace {

constexpr int kAttemptsMax = 5;
constexpr std::chrono::milliseconds kFirstCommitDelay{20};
constexpr std::string_view kConditionFailed = "ConditionalCheckFailed";
/// An item is at most 400 KB. Beyond this, bodies lose their grace.
constexpr std::size_t kOldBodiesMax = 100;

/// The first two actions; the request and the version follow, if there are any.
constexpr std::size_t kMetadataAction = 0;
constexpr std::size_t kLockAction = 1;
constexpr std::size_t kRequestAction = 2;

bool was_refused(const std::vector<TransactFailure>& failures, std::size_t action) {
  return failures.size() > action && failures[action].reason == kConditionFailed;
}

/// The error for a refused publication. The lease is checked first: without it the other reasons mean nothing.
Error explain(const Error& error, const Lease& lease, const PublishOptions& options) {
  const std::vector<TransactFailure> failures = transact_failures(error);
  if (was_refused(failures, kLockAction))
    return Error(Code::kLeaseNotOwned,
                 fmt::format("the lease of {} has expired or is somebody else's, so nothing was published",
                             lease.key.partition));
  if (was_refused(failures, kMetadataAction))
    return Error(Code::kConditionFailed, "the page is not the one that was expected");
  if (options.request && was_refused(failures, kRequestAction))
    return Error(Code::kIdempotencyMismatch, "no request with this hash is in progress");
  if (options.version && was_refused(failures, options.request ? kRequestAction + 1 : kRequestAction))
    return Error(Code::kConditionFailed, "a version with this id exists already");
  return error;
}

Result<void> check_response(const GeneratedPage& page) {
  constexpr int kStatusMin = 200;
  constexpr int kStatusMax = 599;
  if (page.http_status && (*page.http_status < kStatusMin || *page.http_status > kStatusMax))
    return fail(Code::kInvalidArgument, "the status of a page is {} to {}, not {}", kStatusMin, kStatusMax,
                *page.http_status);
  if (page.content_type && (page.content_type->empty() || !isr::is_http_value(*page.content_type)))
    return fail(Code::kInvalidArgument, "the content type of a page is empty or has a control character");
  for (const auto& [name, value] : page.http_headers) {
    if (!isr::is_http_name(name)) return fail(Code::kInvalidArgument, "\"{}\" is not the name of a header", name);
    if (!isr::is_http_value(value))
      return fail(Code::kInvalidArgument, "the header {} of a page has a control character", name);
  }
  return {};
}

Result<void> check_page(const GeneratedPage& page, const PublishOptions& options) {
  if (page.revalidate.count() < 0)
    return fail(Code::kInvalidArgument, "the time for which a page is fresh cannot be negative");
  if (page.etag && !is_etag(*page.etag))
    return fail(Code::kInvalidArgument, "{} is not an entity tag; it needs quotes", *page.etag);
  if (options.version && options.version->empty()) return fail(Code::kInvalidArgument, "the version has no id");
  if (page.tags.contains("")) return fail(Code::kInvalidArgument, "a tag of a page is empty");
  return check_response(page);
}

/// The options with what the page itself asks for.
PublishOptions with_version(PublishOptions options, const GeneratedPage& page) {
  if (!options.version) options.version = page.version;
  return options;
}

Result<void> check_lease(const Lease& lease, const PageKey& key) {
  if (lease.key != LeaseKey{page_partition(key), std::string(isr::kLock)})
    return fail(Code::kInvalidArgument, "the lease belongs to {}, not to the page", lease.key.partition);
  return {};
}

}  // namespace

Result<LeaseGuard> PageCache::hold(const PageKey& key) {
  return leases_.hold({page_partition(key), std::string(isr::kLock)}, options_.lease_length,
                      {.margin = options_.lease_margin});
}

Result<std::vector<TransactAction>> PageCache::publish_actions(const Lease& lease, const PageKey& key,
                                                               const PageMetadata& metadata,
                                                               const PublishOptions& options) const {
  const std::string& table = leases_.table();
  PutAction meta{.table = table};
  DOLMEN_TRY(meta.item, metadata_item(metadata, key_of(key, isr::kMetadata)));
  if (lease.generation) meta.condition = not_older(isr::kGeneration, *lease.generation);
  if (options.replaces)
    meta.condition = std::move(meta.condition) &&
                     (options.replaces->empty() ? attr(leases_.options().attributes.partition_key).not_exists()
                                                : attr(isr::kCurrentVersion) == *options.replaces);

  DOLMEN_TRY(TransactAction release, leases_.release_action(lease));
  std::vector<TransactAction> actions;
  actions.emplace_back(std::move(meta));
  actions.push_back(std::move(release));
  if (options.request) {
    UpdateAction complete{.table = table, .key = key_of(key, isr::request_sort(options.request->id))};
    complete.update.set(attr(isr::kStatus), isr::kCompleted)
        .set(attr(isr::kResult), metadata.s3_key)
        .remove(attr(isr::kRequestToken))
        .remove(attr(isr::kRequestEnd));
    complete.condition = is_under_way(*options.request);
    actions.emplace_back(std::move(complete));
  }
  if (options.version) {
    PutAction version{.table = table, .condition = attr(leases_.options().attributes.partition_key).not_exists()};
    PageMetadata alone = metadata;
    alone.current_sk.reset();
    alone.old_bodies.clear();
    DOLMEN_TRY(version.item, metadata_item(alone, key_of(key, isr::version_sort(*options.version))));
    actions.emplace_back(std::move(version));
  }
  return actions;
}

/// Makes the actions again for each attempt, with the current time, so that a lease that expired during a pause is
/// refused. They have a token, so that the store can repeat them when an answer was lost.
Result<void> PageCache::transact(const MakeActions& make_actions) {
  FunctionRandom random(leases_.options().random);
  const LeaseClock& clock = leases_.options().clock;
  std::chrono::milliseconds delay = kFirstCommitDelay;
  for (int attempt = 1;; ++attempt, delay *= 2) {
    DOLMEN_TRY(const std::vector<TransactAction> actions, make_actions());
    const Result<TransactWriteResult> written = store_->transact_write(actions, {.client_token = random_uuid(random)});
    if (written) return {};
    if (attempt >= kAttemptsMax || !may_try_again(transact_failures(written.error())))
      return std::unexpected(written.error());
    pause(clock, later(clock.steady_now(), delay));
  }
}

std::optional<std::int64_t> PageCache::ttl_from(std::int64_t stale_at) const {
  if (options_.stale_lifetime.count() <= 0) return std::nullopt;
  return saturating_add(stale_at, options_.stale_lifetime.count());
}

PageMetadata PageCache::metadata_of(const GeneratedPage& page, const PageKey& key, const Lease& lease,
                                    const PublishOptions& options) const {
  FunctionRandom random(leases_.options().random);
  PageMetadata metadata{.s3_key = body_folder(key) + random_uuid(random),
                        .generated_at = options.generated_at.value_or(now_seconds()),
                        .revalidate_seconds = page.revalidate.count(),
                        .etag = page.etag ? *page.etag : strong_etag(page.body),
                        .generation = lease.generation,
                        .content_type = page.content_type,
                        .http_status = page.http_status,
                        .http_headers = page.http_headers,
                        .tags = page.tags};
  metadata.ttl = ttl_from(saturating_add(metadata.generated_at, metadata.revalidate_seconds));
  if (options.version) metadata.current_sk = isr::version_sort(*options.version);
  if (options_.keep_names) metadata.page_name = key.name;
  return metadata;
}

Result<PageMetadata> PageCache::publish(const Lease& lease, const PageKey& key, const GeneratedPage& page,
                                        const PublishOptions& given) {
  const PublishOptions options = with_version(given, page);
  DOLMEN_TRY_VOID(check_page(page, options));
  DOLMEN_TRY_VOID(check_lease(lease, key));
  PageMetadata metadata = metadata_of(page, key, lease, options);
  DOLMEN_TRY_VOID(bodies_->put(metadata.s3_key, page.body));
  const std::vector<std::string> over = retire_bodies(key, replaced(key), metadata);
  const Result<void> written = transact([&] { return publish_actions(lease, key, metadata, options); });
  bool published = written.has_value();
  if (!written && written.error().code() == Code::kUnknownOutcome) {
    // The body stays, because the page may refer to it now or soon.
    const Result<std::optional<PageMetadata>> now_there = this->metadata(key);
    published = now_there && *now_there && (*now_there)->s3_key == metadata.s3_key;
  } else if (!written) {
    static_cast<void>(bodies_->remove(metadata.s3_key));
  }
  if (!published) return std::unexpected(explain(written.error(), lease, options));
  remove_bodies(over);
  memory_->remember(page_partition(key), metadata);
  return metadata;
}

std::optional<PageMetadata> PageCache::replaced(const PageKey& key) {
  Result<std::optional<PageMetadata>> metadata = this->metadata(key);
  return metadata ? std::move(*metadata) : std::nullopt;
}

/// Only bodies that such a cache has written and that no version uses are ever removed. Readers with old metadata read
/// again.
std::vector<std::string> PageCache::retire_bodies(const PageKey& key, const std::optional<PageMetadata>& old,
                                                  PageMetadata& fresh) const {
  if (!old) return {};
  std::map<std::string, std::int64_t> replaced = old->old_bodies;
  if (!old->current_sk) replaced[old->s3_key] = saturating_add(now_seconds(), options_.body_grace.count());
  replaced.erase(fresh.s3_key);
  std::vector<std::string> over;
  for (const auto& [body, end] : replaced) {
    if (!body.starts_with(body_folder(key))) continue;
    if (end > now_seconds() && fresh.old_bodies.size() < kOldBodiesMax)
      fresh.old_bodies[body] = end;
    else
      over.push_back(body);
  }
  return over;
}

void PageCache::remove_bodies(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) static_cast<void>(bodies_->remove(key));
}

Result<PageMetadata> PageCache::publish(const LeaseGuard& guard, const PageKey& key, const GeneratedPage& page,
                                        const PublishOptions& options) {
  DOLMEN_TRY(const Lease lease, guard.lease());
  return publish(lease, key, page, options);
}

Result<PageMetadata> PageCache::restore(const Lease& lease, const PageKey& key, const std::string& version) {
  DOLMEN_TRY_VOID(check_lease(lease, key));
  const std::string sort = isr::version_sort(version);
  DOLMEN_TRY(const GetResult found, store_->get_item(leases_.table(), key_of(key, sort)));
  if (!found.item) return fail(Code::kItemNotFound, "the version {} does not exist", version);
  DOLMEN_TRY(PageMetadata metadata, read_metadata(*found.item));
  metadata.current_sk = sort;
  metadata.generation = lease.generation;
  // The version's own time to live may be over, which would let the page be removed at once.
  metadata.ttl = ttl_from(std::max(now_seconds(), saturating_add(metadata.generated_at, metadata.revalidate_seconds)));
  const std::vector<std::string> over = retire_bodies(key, replaced(key), metadata);
  const Result<void> written = transact([&] { return publish_actions(lease, key, metadata, {}); });
  if (!written) return std::unexpected(explain(written.error(), lease, {}));
  remove_bodies(over);
  memory_->remember(page_partition(key), metadata);
  return metadata;
}

Result<std::vector<PageVersion>> PageCache::versions(const PageKey& key) {
  const LeaseAttributes& names = leases_.options().attributes;
  const Condition of_page = dolmen::key(names.partition_key) == page_partition(key) &&
                            dolmen::key(names.sort_key).begins_with(isr::kVersionPrefix);
  std::vector<PageVersion> versions;
  for (const Result<Item>& item : store_->query(leases_.table(), {.key = of_page, .consistent_read = true})) {
    if (!item) return std::unexpected(item.error());
    DOLMEN_TRY(PageMetadata metadata, read_metadata(*item));
    versions.push_back({item->at(names.sort_key).string().substr(isr::kVersionPrefix.size()), std::move(metadata)});
  }
  return versions;
}

}  // namespace dolmen
