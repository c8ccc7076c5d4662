#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/isr/body_store.h"
#include "dolmen/isr/options.h"
#include "dolmen/isr/page.h"
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

namespace isr {
class Flights;
class PageMemory;
}  // namespace isr

/// The pages of one table, which has the string keys pk and sk (`Leases::table_definition`). Thread-safe, and may be
/// copied; copies share their threads. The stores must outlive it. When the last copy goes, it asks the generations in
/// the background to stop, waits for them, and forgets those that have not begun. Everything fails as the stores do,
/// too.
class PageCache {
 public:
  PageCache(Store& store, std::string table, BodyStore& bodies, PageCacheOptions options = {});

  /// A fresh page is returned as it is. Of a stale or missing one, one caller among all programs generates a new one
  /// and publishes it; the others do as `options` say. So do those who come while a page is generated that is stale
  /// again when it is published: they get that page. What `generate` throws goes on to the caller, when the lease was
  /// given back and the request has failed. In the background `generate` is copied, and runs on another thread.
  ///
  /// When the metadata cannot be read, the page is returned as it was when this cache last saw it, with `problem` set.
  Result<ServedPage> serve_or_regenerate(const PageKey& key, const GeneratePage& generate,
                                         const ServeOptions& options = {});
  /// The same on a thread of the cache, where `done` is called. A call that waits occupies that thread.
  void async_serve_or_regenerate(const PageKey& key, const GeneratePage& generate, const ServeOptions& options,
                                 Callback<ServedPage> done);

  /// Nothing when there is no such page.
  Result<std::optional<PageMetadata>> metadata(const PageKey& key);
  void async_metadata(const PageKey& key, Callback<std::optional<PageMetadata>> done);
  /// Adds or replaces META without looking at the lease.
  Result<void> put_metadata(const PageKey& key, const PageMetadata& metadata);

  // ---- Publishing by hand ----

  /// The lease of a page. Fails with kLeaseHeld.
  Result<LeaseGuard> hold(const PageKey& key);
  /// Stores the body and then, in one transaction, writes META, releases the lease and completes the request. At last
  /// it removes the bodies that were replaced and whose grace is over, if they are the cache's own and no version. The
  /// lease must still be held when the body has been stored. Fails with kLeaseNotOwned when the lease has expired or
  /// has another holder, with kConditionFailed when `replaces` is not what is there, a later holder has published, or
  /// the version exists, with kIdempotencyMismatch when the request is not under way; then nothing is changed. Fails
  /// with kInvalidArgument for the lease of another page, and for a page that breaks a rule of `GeneratedPage`.
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

  /// Remembers that a request is under way, or says what became of it. One that was begun and whose holder has died is
  /// free again when its lease has ended: `lease_length` after it was begun, and not while the page is being generated.
  /// Fails with kIdempotencyMismatch when the same id was used with another hash.
  Result<RequestState> begin_request(const PageKey& key, const PageRequest& request);
  /// Marks the request as failed, so that another caller may try. Does nothing when the request is not under way.
  Result<void> fail_request(const PageKey& key, const PageRequest& request);

  // ---- Marking and listing ----

  /// Lets a page be stale from now on, without removing it. A program that is generating it at that moment can no
  /// longer publish, because what it read may be out of date. False when there is no such page.
  Result<bool> mark_stale(const PageKey& key);
  /// Every page with this tag, of one tenant or of all. Reads the whole table. A page that is generated for the first
  /// time at that moment has no tags yet. Returns how many there were.
  Result<std::size_t> mark_tag_stale(const std::string& tag, const std::optional<std::string>& tenant = std::nullopt);
  /// Every page of a tenant. Reads the whole table.
  Result<std::size_t> mark_tenant_stale(const std::string& tenant);

  /// The pages that there are, in the order of the table's scan. Leaves out those whose metadata cannot be read. Reads
  /// the whole table, or as much as it takes to find `limit` pages.
  Result<PageList> list(const ListPages& options = {});

  // ---- Purging ----

  /// Removes the page with its versions, requests and bodies. A program that is generating it at that moment can no
  /// longer publish.
  Result<PurgeResult> purge(const PageKey& key);
  /// Every page of a tenant. Reads the whole table.
  Result<PurgeResult> purge_tenant(const std::string& tenant);

  /// Removes the bodies below `body_prefix` that no item refers to: those of programs that died before they published,
  /// and those of pages that time to live has removed. Reads the whole table. No other table may have its bodies below
  /// the same prefix: they would be removed. Fails with kUnsupported when the bodies cannot be listed.
  Result<SweepResult> sweep(const SweepOptions& options = {});

  [[nodiscard]] Leases& leases() noexcept { return leases_; }

 private:
  class Serving;

  /// For other threads: a copy that may be the last to go without waiting for a thread.
  [[nodiscard]] PageCache without_threads() const;
  [[nodiscard]] std::chrono::system_clock::time_point now() const { return leases_.options().clock.now(); }
  [[nodiscard]] std::int64_t now_seconds() const;
  [[nodiscard]] Item key_of(const PageKey& key, std::string_view sort) const;
  [[nodiscard]] Item key_of(const std::string& partition, std::string_view sort) const;
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
  Result<std::optional<ServedPage>> look_in_memory(const PageKey& key, const Error& error);
  /// What a publication replaces: META as it is, or nothing when it cannot be read.
  std::optional<PageMetadata> replaced(const PageKey& key);
  [[nodiscard]] PageMetadata metadata_of(const GeneratedPage& page, const PageKey& key, const Lease& lease,
                                         const PublishOptions& options) const;
  /// Notes in `fresh` the bodies that live on for their grace, and returns those that can be removed.
  [[nodiscard]] std::vector<std::string> retire_bodies(const PageKey& key, const std::optional<PageMetadata>& old,
                                                       PageMetadata& fresh) const;
  void remove_bodies(const std::vector<std::string>& keys);
  [[nodiscard]] Result<std::vector<TransactAction>> publish_actions(const Lease& lease, const PageKey& key,
                                                                    const PageMetadata& metadata,
                                                                    const PublishOptions& options) const;
  using MakeActions = std::function<Result<std::vector<TransactAction>>()>;
  Result<void> transact(const MakeActions& make_actions);

  Result<std::optional<RequestState>> claim_request(const PageKey& key, const PageRequest& request,
                                                    const Condition& condition,
                                                    std::optional<CheckAction> check = std::nullopt);
  Result<std::optional<RequestState>> claim_abandoned(const PageKey& key, const PageRequest& request, const Item& seen);
  Result<std::optional<RequestState>> take_over_request(const PageKey& key, const PageRequest& request,
                                                        const RequestState& lost);
  [[nodiscard]] static Condition is_under_way(const PageRequest& request);
  /// Whether the request is still under way as it was begun with this token.
  Result<bool> still_mine(const PageKey& key, const PageRequest& request);

  /// The partitions of a tenant, whichever items they have.
  Result<std::set<std::string>> partitions_of(const std::string& tenant);
  Result<bool> mark_partition_stale(const std::string& partition);
  Result<void> break_lease(const std::string& partition);
  Result<void> purge_partition(const std::string& partition, PurgeResult& result);

  Store* store_;
  BodyStore* bodies_;
  PageCacheOptions options_;
  Leases leases_;
  std::shared_ptr<isr::PageMemory> memory_;
  /// Empty in copies that work on other threads, so that no thread waits for itself.
  std::shared_ptr<isr::Flights> flights_;
};

}  // namespace dolmen
