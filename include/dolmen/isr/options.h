#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/isr/page.h"
#include "dolmen/lease.h"
#include "dolmen/store.h"

/// What the calls of `PageCache` (dolmen/isr/isr.h) take and give.
namespace dolmen {

/// A request that must not be carried out twice: its item `REQ#<id>`.
struct PageRequest {
  std::string id;
  /// Of what is asked for; the same id with another hash is refused.
  std::string hash;
  /// As `RequestState` had it: then only that beginning of the request can be completed or fail. Empty: any.
  std::string token = {};
};

enum class RequestStatus : std::uint8_t { kStarted, kCompleted, kFailed };

/// What a request's item says.
struct RequestState {
  RequestStatus status = RequestStatus::kStarted;
  /// This call has put the item there, or taken over one that failed or whose holder died: its caller is to carry the
  /// request out.
  bool is_mine = false;
  /// Of a completed one: where the result is.
  std::optional<std::string> result_s3_key = std::nullopt;
  /// Only when it is mine: what tells this beginning from others.
  std::string token = {};
};

/// What a call does with a stale page. A missing one is waited for, whatever is said here, for `wait_max` at most
/// unless it is kWait.
enum class WhenStale : std::uint8_t {
  kGenerate,     ///< generate it, unless another program is about to; then as `WhenBusy` says
  kServeAtOnce,  ///< return it at once; one generation runs in the background
  kWait,         ///< wait for the new page, however long it takes; a generator must not wait so for its own page
  kWaitAtMost,   ///< wait for `wait_max`, then return the stale page; the generation goes on in the background
};

/// With WhenStale::kGenerate: what to do while another program generates the page.
enum class WhenBusy : std::uint8_t {
  kServeStale,  ///< return the old page when there is one, else wait
  kWait,
};

struct ServeOptions {
  WhenStale when_stale = WhenStale::kGenerate;
  WhenBusy when_busy = WhenBusy::kServeStale;
  /// How long to wait at most; then the old page is returned, or kTimeout when there is none.
  std::chrono::milliseconds wait_max{10'000};
  /// Return the old page when the new one cannot be generated or published, and when metadata or leases cannot be read
  /// or written.
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
  /// Why the page is stale although this call tried to generate it, or why its metadata could not be read.
  std::optional<Error> problem = std::nullopt;
};

struct PublishOptions {
  /// Keep the page also as an item `VER#<version>`, which must be new, and let META point to it. Nothing: as the page
  /// says.
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

/// Which pages to list.
struct ListPages {
  /// Only of this tenant; an empty string: those that have none.
  std::optional<std::string> tenant = std::nullopt;
  std::optional<std::string> tag = std::nullopt;
  /// 0: all.
  std::size_t limit = 0;
  /// Go on after this page: `PageList::next`.
  std::optional<std::string> after = std::nullopt;
};

struct ListedPage {
  std::string partition;
  std::string tenant;
  bool fresh = false;
  /// Its `page_name` is there when the page was published with `PageCacheOptions::keep_names`.
  PageMetadata metadata;
};

struct PageList {
  std::vector<ListedPage> pages;
  /// Where to go on; nothing when these were the last.
  std::optional<std::string> next = std::nullopt;
};

struct PurgeResult {
  std::size_t pages = 0;
  std::size_t items = 0;
  std::size_t bodies = 0;
};

struct SweepOptions {
  /// Bodies that are not older may belong to a page that is being published, and stay.
  std::chrono::seconds older_than{std::chrono::hours(1)};
  /// Only count.
  bool dry_run = false;
};

struct SweepResult {
  /// All bodies that were looked at, those that nothing refers to and that are old enough, and their bytes.
  std::size_t bodies = 0;
  std::size_t removed = 0;
  std::uint64_t removed_bytes = 0;
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
  /// How long a body lives on when it has been replaced, for readers that have its key already. The publication after
  /// that removes it, or a sweep. META has the attribute `old_bodies` then. Zero: it is removed at once.
  std::chrono::seconds body_grace{0};
  /// Keep the names of pages in the attribute `page_name`, so that `list` can show them.
  bool keep_names = false;
  /// Of how many pages the metadata is remembered, to serve them when it cannot be read.
  std::size_t remembered_pages_max = 1000;

  // ---- In the background ----

  /// What runs generations in the background; without it, threads of the cache.
  Executor executor = {};
  /// How many threads the cache may have.
  std::size_t threads_max = 4;
  /// How many generations may wait for a thread. When there are more, stale pages stay stale until the next visit, and
  /// callers who wait generate on their own thread.
  std::size_t waiting_max = 1000;
  /// Called after each generation that calls with another `WhenStale` than kGenerate have caused, on its thread: with
  /// the page as it is now, or why it could not be generated. What `generate` throws is a kUnavailable with its text.
  std::function<void(const PageKey&, const Result<PageMetadata>&)> on_generated = {};
};

}  // namespace dolmen
