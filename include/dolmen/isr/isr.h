#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/isr/body_store.h"
#include "dolmen/lease.h"
#include "dolmen/store.h"
#include "dolmen/value.h"

/// Pages that are generated now and then and served many times (incremental static regeneration): one of many programs
/// regenerates a page, and a program whose lease has expired can never publish.
///
///     PageCache cache{*store, "cache", *bodies};
///     auto page = cache.serve_or_regenerate({"/news?page=2"}, [&](std::stop_token) -> Result<GeneratedPage> {
///       return GeneratedPage{.body = render_news(2), .revalidate = 60s};
///     });
///
/// Items and attributes are FaceTheory's, so that services in other languages share the table. docs/isr.md shows who
/// does what when.
namespace dolmen {

/// What a page is called: anything, such as a path with its parameters. It is stored as its SHA-256.
struct PageKey {
  std::string name;
  /// Empty when there is only one.
  std::string tenant = {};
};

/// The partition key of everything about a page: CACHE#<sha256> or TENANT#<tenant>#CACHE#<sha256>.
std::string page_partition(const PageKey& key);

/// SHA-256 in hexadecimal digits, as in partition keys; fit for the hashes of requests.
std::string sha256_hex(std::string_view bytes);

/// What is known of a page: its item META, and likewise each item VER#<id>.
struct PageMetadata {
  /// Of the body.
  std::string s3_key;
  /// Seconds since 1970.
  std::int64_t generated_at = 0;
  std::int64_t revalidate_seconds = 0;
  std::optional<std::string> etag = std::nullopt;
  /// When the item may be removed. Says nothing about freshness.
  std::optional<std::int64_t> ttl = std::nullopt;
  /// Only of META: the sort key of the version that it is, when versions are kept.
  std::optional<std::string> current_sk = std::nullopt;
  /// Only with fencing: of the lease that it was published under.
  std::optional<std::int64_t> generation = std::nullopt;

  friend bool operator==(const PageMetadata&, const PageMetadata&) = default;
};

/// now < generated_at + revalidate_seconds, and nothing else.
bool is_fresh(const PageMetadata& metadata, std::chrono::system_clock::time_point now);

/// The item as it is stored. Fails with kValidation when the metadata is not valid; the message names the attribute.
Result<Item> to_metadata_item(const PageMetadata& metadata);
Result<PageMetadata> from_metadata_item(const Item& item);

/// A page that was generated.
struct GeneratedPage {
  std::string body;
  /// How long it is fresh.
  std::chrono::seconds revalidate{60};
  /// Without one, a strong tag is made from the body.
  std::optional<std::string> etag = std::nullopt;
};

/// Generates a page. The token requests a stop when the lease is lost, because the page could not be published then.
using GeneratePage = std::function<Result<GeneratedPage>(std::stop_token)>;

/// A request that must not be carried out twice: its item REQ#<id>.
struct PageRequest {
  std::string id;
  /// Of what is asked for; the same id with another hash is refused.
  std::string hash;
};

enum class RequestStatus : std::uint8_t { kStarted, kCompleted, kFailed };

/// What a request's item says.
struct RequestState {
  RequestStatus status = RequestStatus::kStarted;
  /// This call has put the item there, or taken over a failed one: its caller is to carry the request out.
  bool is_mine = false;
  /// Of a completed one: where the result is.
  std::optional<std::string> result_s3_key = std::nullopt;
};

/// What to do while another program generates the page.
enum class WhenBusy : std::uint8_t {
  kServeStale,  ///< return the old page when there is one, else wait
  kWait,
};

struct ServeOptions {
  WhenBusy when_busy = WhenBusy::kServeStale;
  /// How long to wait at most; then the old page is returned, or kTimeout when there is none.
  std::chrono::milliseconds wait_max{10'000};
  /// Return the old page when the new one cannot be generated or published.
  bool stale_on_error = true;
  /// Generates at most once for this request.
  std::optional<PageRequest> request = std::nullopt;
};

enum class PageState : std::uint8_t {
  kFresh,
  kStale,
  kRegenerated,  ///< by this call
};

struct ServedPage {
  PageState state = PageState::kFresh;
  std::string body;
  PageMetadata metadata;
  /// Why the page is stale although this call tried to generate it.
  std::optional<Error> problem = std::nullopt;
};

struct PublishOptions {
  /// Keep the page also as an item VER#<version>, which must be new, and let META point to it.
  std::optional<std::string> version = std::nullopt;
  /// Publish only when META points to this version (its `current_sk`); an empty string: when there is no META.
  std::optional<std::string> replaces = std::nullopt;
  /// Completes this request in the same step.
  std::optional<PageRequest> request = std::nullopt;
  /// When the page was generated, in seconds since 1970; nothing: now.
  std::optional<std::int64_t> generated_at = std::nullopt;
};

struct PageVersion {
  std::string id;
  PageMetadata metadata;
};

struct PurgeResult {
  std::size_t pages = 0;
  std::size_t items = 0;
  std::size_t bodies = 0;
};

struct PageCacheOptions {
  /// The names of the keys and of the time to live are those of all items; the others are the lease's own.
  LeaseOptions leases = {};
  /// How long a page may take to generate before another tries, unless its lease is refreshed, which it is.
  std::chrono::milliseconds lease_length{30'000};
  /// How long before its end a lease counts as lost.
  std::chrono::milliseconds lease_margin{0};
  /// How long after it has become stale a page's item may be removed; not positive: never.
  std::chrono::seconds stale_lifetime{std::chrono::days(7)};
  /// How long requests are remembered.
  std::chrono::seconds request_lifetime{std::chrono::days(1)};
  /// How often a waiting caller looks again.
  std::chrono::milliseconds poll_interval{50};
  std::string body_prefix = "pages/";
};

/// The pages of one table, which has the string keys pk and sk (`Leases::table_definition`). Thread-safe; the stores
/// must outlive it. Everything fails as the stores do, too.
class PageCache {
 public:
  PageCache(Store& store, std::string table, BodyStore& bodies, PageCacheOptions options = {});

  /// A fresh page is returned as it is. Of a stale or missing one, one caller among all programs generates a new one
  /// and publishes it; the others do as `options` say. What `generate` throws goes on to the caller, when the lease was
  /// given back and the request has failed.
  Result<ServedPage> serve_or_regenerate(const PageKey& key, const GeneratePage& generate,
                                         const ServeOptions& options = {});

  /// Nothing when there is no such page.
  Result<std::optional<PageMetadata>> metadata(const PageKey& key);
  /// Adds or replaces META without looking at the lease.
  Result<void> put_metadata(const PageKey& key, const PageMetadata& metadata);

  // ---- Publishing by hand ----

  /// The lease of a page. Fails with kLeaseHeld.
  Result<LeaseGuard> hold(const PageKey& key);
  /// Stores the body and then, in one transaction, writes META, releases the lease and completes the request. At last
  /// it removes the body that was replaced, if that is the cache's own and no version. The lease must still be held
  /// when the body has been stored. Fails with kLeaseNotOwned when the lease has expired or has another holder, with
  /// kConditionFailed when `replaces` is not what is there, a later holder has published, or the version exists, with
  /// kIdempotencyMismatch when the request is not under way; then nothing is changed. Fails with kInvalidArgument for
  /// the lease of another page.
  Result<PageMetadata> publish(const Lease& lease, const PageKey& key, const GeneratedPage& page,
                               const PublishOptions& options = {});
  Result<PageMetadata> publish(const LeaseGuard& guard, const PageKey& key, const GeneratedPage& page,
                               const PublishOptions& options = {});
  /// Lets META point to an older version until the page is generated anew, which it is when that version is stale, and
  /// releases the lease. Fails with kItemNotFound, else as `publish`.
  Result<PageMetadata> restore(const Lease& lease, const PageKey& key, const std::string& version);
  /// In the order of their ids.
  Result<std::vector<PageVersion>> versions(const PageKey& key);

  // ---- Requests ----

  /// Remembers that a request is under way, or says what became of it. Fails with kIdempotencyMismatch when the same id
  /// was used with another hash.
  Result<RequestState> begin_request(const PageKey& key, const PageRequest& request);
  /// Marks the request as failed, so that another caller may try. Does nothing when the request is not under way.
  Result<void> fail_request(const PageKey& key, const PageRequest& request);

  // ---- Purging ----

  /// Removes the page with its versions, requests and bodies. A program that is generating it at that moment can no
  /// longer publish.
  Result<PurgeResult> purge(const PageKey& key);
  /// Every page of a tenant. Reads the whole table.
  Result<PurgeResult> purge_tenant(const std::string& tenant);

  [[nodiscard]] Leases& leases() noexcept { return leases_; }

 private:
  class Serving;

  [[nodiscard]] std::chrono::system_clock::time_point now() const { return leases_.options().clock.now(); }
  [[nodiscard]] std::int64_t now_seconds() const;
  [[nodiscard]] Item key_of(const PageKey& key, std::string_view sort) const;
  /// What the time to live is called in the items of pages and requests, as in those of leases.
  [[nodiscard]] std::string ttl_name() const;
  [[nodiscard]] Result<Item> metadata_item(const PageMetadata& metadata, const Item& key) const;
  [[nodiscard]] Result<PageMetadata> read_metadata(const Item& item) const;
  /// When the item of a page may be removed that is stale from `stale_at` on; nothing: never.
  [[nodiscard]] std::optional<std::int64_t> ttl_from(std::int64_t stale_at) const;
  /// Where the bodies of a page are.
  [[nodiscard]] std::string body_folder(const PageKey& key) const;
  Result<std::optional<std::string>> body(const std::string& key);

  Result<std::optional<ServedPage>> look(const PageKey& key);
  /// What a publication replaces: META as it is, or nothing when it cannot be read.
  std::optional<PageMetadata> replaced(const PageKey& key);
  void remove_replaced(const PageKey& key, const std::optional<PageMetadata>& old, const PageMetadata& fresh);
  [[nodiscard]] Result<std::vector<TransactAction>> publish_actions(const Lease& lease, const PageKey& key,
                                                                    const PageMetadata& metadata,
                                                                    const PublishOptions& options) const;
  using MakeActions = std::function<Result<std::vector<TransactAction>>()>;
  Result<void> transact(const MakeActions& make_actions);
  Result<bool> claim_request(const PageKey& key, const PageRequest& request, const Condition& condition);
  Result<bool> take_over_request(const PageKey& key, const PageRequest& request, const RequestState& lost);
  Result<void> break_lease(const std::string& partition);
  Result<void> purge_partition(const std::string& partition, PurgeResult& result);

  Store* store_;
  BodyStore* bodies_;
  PageCacheOptions options_;
  Leases leases_;
};

}  // namespace dolmen
