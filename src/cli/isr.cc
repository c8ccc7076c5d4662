#include "cli/isr.h"

#include <fmt/format.h>
#include <memory>
#include <string>

#include "base/fail.h"
#include "base/saturating.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "dolmen/isr.h"
#include "dolmen/isr/isr.h"

namespace dolmen::cli {
namespace {

struct IsrFlags {
  PageKey page;
  std::string table = "cache";
  std::string bodies;
  std::string bodies_endpoint;
  bool keep_bodies = false;
  bool fencing = false;
  bool json = false;
  StoreFlags store;
};

/// Stands for bodies that are neither read nor removed.
class UntouchedBodies final : public BodyStore {
 public:
  Result<void> put(const std::string& key, std::string_view /*body*/) override {
    return fail(Code::kUnsupported, "the body {} cannot be written: this command leaves bodies alone", key);
  }
  Result<std::optional<std::string>> get(const std::string& /*key*/) override { return std::nullopt; }
  Result<std::optional<BodyInfo>> head(const std::string& /*key*/) override { return std::nullopt; }
  Result<void> remove(const std::string& /*key*/) override { return {}; }
};

Result<std::unique_ptr<BodyStore>> open_bodies(const IsrFlags& flags) {
  constexpr std::string_view kBucket = "s3://";
  if (flags.keep_bodies || flags.bodies.empty()) return std::make_unique<UntouchedBodies>();
  if (flags.bodies.starts_with(kBucket))
    return open_body_bucket({.bucket = flags.bodies.substr(kBucket.size()), .endpoint = flags.bodies_endpoint});
  return open_body_directory(flags.bodies);
}

/// Everything that a verb works with.
struct OpenedCache {
  std::unique_ptr<Store> store;
  std::unique_ptr<BodyStore> bodies;
  PageCache cache;
};

Result<OpenedCache> open_cache(const IsrFlags& flags) {
  DOLMEN_TRY(std::unique_ptr<BodyStore> bodies, open_bodies(flags));
  DOLMEN_TRY(std::unique_ptr<Store> store, open_store(flags.store));
  PageCache cache(*store, flags.table, *bodies, {.leases = {.fencing = flags.fencing}});
  return OpenedCache{std::move(store), std::move(bodies), std::move(cache)};
}

/// What there is to say about a page.
struct PageReport {
  std::string partition;
  std::optional<PageMetadata> metadata;
  std::optional<LeaseStatus> lease;
  std::size_t versions = 0;
  std::chrono::system_clock::time_point now;

  [[nodiscard]] std::string_view state() const {
    if (!metadata) return "missing";
    return is_fresh(*metadata, now) ? "fresh" : "stale";
  }
  [[nodiscard]] std::int64_t now_seconds() const {
    return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  }
};

void print(const PageReport& report) {
  fmt::print("{}  {}\n", report.partition, report.state());
  if (report.metadata) {
    const PageMetadata& page = *report.metadata;
    fmt::print("  generated   {} s ago, fresh for {} s\n", saturating_subtract(report.now_seconds(), page.generated_at),
               page.revalidate_seconds);
    fmt::print("  body        {}\n", page.s3_key);
    if (page.etag) fmt::print("  etag        {}\n", *page.etag);
    if (page.current_sk) fmt::print("  version     {} of {}\n", *page.current_sk, report.versions);
  }
  if (report.lease && report.lease->held)
    fmt::print("  generating  by {} for another {} s\n", report.lease->token,
               saturating_subtract(*report.lease->expires_at, report.now_seconds()));
}

LogicalItem describe(const PageReport& report) {
  LogicalItem item{{"pk", report.partition}, {"state", report.state()}, {"versions", report.versions}};
  if (report.metadata) {
    const PageMetadata& page = *report.metadata;
    item["s3_key"] = page.s3_key;
    item["generated_at"] = page.generated_at;
    item["revalidate_seconds"] = page.revalidate_seconds;
    if (page.etag) item["etag"] = *page.etag;
    if (page.current_sk) item["current_sk"] = *page.current_sk;
  }
  item["generating"] = report.lease && report.lease->held;
  if (report.lease && report.lease->expires_at) item["lease_expires_at"] = *report.lease->expires_at;
  return item;
}

Result<void> status(const IsrFlags& flags) {
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  PageReport report{.partition = page_partition(flags.page)};
  DOLMEN_TRY(report.metadata, opened.cache.metadata(flags.page));
  DOLMEN_TRY(report.lease, opened.cache.leases().status({report.partition}));
  DOLMEN_TRY(const std::vector<PageVersion> versions, opened.cache.versions(flags.page));
  report.versions = versions.size();
  report.now = opened.cache.leases().options().clock.now();
  if (flags.json)
    print_json(describe(report));
  else
    print(report);
  return {};
}

Result<void> purge(const IsrFlags& flags) {
  if (flags.page.name.empty() && flags.page.tenant.empty())
    return fail(Code::kInvalidArgument, "name a page, or give --tenant to purge all pages of a tenant");
  if (flags.bodies.empty() && !flags.keep_bodies)
    return fail(Code::kInvalidArgument,
                "the bodies need a decision: name their place with --bodies, or leave them with --keep-bodies");
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  DOLMEN_TRY(PurgeResult purged,
             flags.page.name.empty() ? opened.cache.purge_tenant(flags.page.tenant) : opened.cache.purge(flags.page));
  if (flags.keep_bodies) purged.bodies = 0;
  if (flags.json)
    print_json(LogicalItem{{"pages", purged.pages}, {"items", purged.items}, {"bodies", purged.bodies}});
  else
    fmt::print("removed {} pages: {} items, {} bodies\n", purged.pages, purged.items, purged.bodies);
  return {};
}

}  // namespace

void add_isr(const Verb& program) {
  const Verb verb = program.verb("isr", "Look at pages that regenerate, and purge them");
  const auto add = [&](const char* name, const char* help, Result<void> (*carry_out)(const IsrFlags&)) {
    auto flags = std::make_shared<IsrFlags>();
    const Verb added = verb.verb(name, help);
    added.text("--tenant", flags->page.tenant, "Tenant that the page belongs to").not_empty();
    added.text("--table", flags->table, "Table of the pages").shown_as("NAME");
    added.flag("--json", flags->json, "Print JSON");
    add_store_flags(added, flags->store);
    added.runs([flags, carry_out]() -> int {
      const Result<void> done = carry_out(*flags);
      return done ? kDone : report(done.error(), flags->json);
    });
    return std::pair(added, flags);
  };
  const auto [looking, status_flags] = add("status", "Show whether a page is fresh, and who generates it", status);
  constexpr const char* kPage = "Name of the page, such as /news?page=2";
  looking.text("PAGE", status_flags->page.name, kPage).not_empty().required();
  const auto [purging, flags] =
      add("purge", "Remove a page, or with --tenant alone all pages of a tenant, so that it is generated anew", purge);
  purging.text("PAGE", flags->page.name, kPage).not_empty();
  const Option bodies =
      purging.text("--bodies", flags->bodies, "Where the bodies are: a directory, or s3://BUCKET").shown_as("PLACE");
  purging.text("--bodies-endpoint", flags->bodies_endpoint, "Server that speaks S3's protocol").shown_as("URL");
  purging.flag("--keep-bodies", flags->keep_bodies, "Leave the bodies where they are").not_with(bodies);
  purging.flag("--fencing", flags->fencing, "Leases have generations: keep the row that counts them");
}

}  // namespace dolmen::cli
