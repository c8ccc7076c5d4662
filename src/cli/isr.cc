#include "cli/isr.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

#include "base/fail.h"
#include "base/saturating.h"
#include "cli/isr_flags.h"
#include "cli/print_json.h"

namespace dolmen::cli {
namespace {

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
    if (page.page_name) fmt::print("  name        {}\n", *page.page_name);
    if (page.etag) fmt::print("  etag        {}\n", *page.etag);
    if (page.http_status) fmt::print("  status      {}\n", *page.http_status);
    if (page.content_type) fmt::print("  type        {}\n", *page.content_type);
    for (const auto& [name, value] : page.http_headers) fmt::print("  header      {}: {}\n", name, value);
    if (!page.tags.empty()) fmt::print("  tags        {}\n", fmt::join(page.tags, ", "));
    if (page.current_sk) fmt::print("  version     {} of {}\n", *page.current_sk, report.versions);
  }
  if (report.lease && report.lease->held)
    fmt::print("  generating  by {} for another {} s\n", report.lease->token,
               saturating_subtract(*report.lease->expires_at, report.now_seconds()));
}

LogicalItem describe(const PageReport& report) {
  LogicalItem item = report.metadata ? described_page(*report.metadata) : LogicalItem();
  item["pk"] = report.partition;
  item["state"] = report.state();
  item["versions"] = report.versions;
  item["generating"] = report.lease && report.lease->held;
  if (report.lease && report.lease->expires_at) item["lease_expires_at"] = *report.lease->expires_at;
  return item;
}

Result<void> status(const IsrFlags& flags) {
  DOLMEN_TRY(const PageKey page, named_page(flags));
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  PageReport report{.partition = page_partition(page)};
  DOLMEN_TRY(report.metadata, opened.cache.metadata(page));
  DOLMEN_TRY(report.lease, opened.cache.leases().status({report.partition}));
  DOLMEN_TRY(const std::vector<PageVersion> versions, opened.cache.versions(page));
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
  DOLMEN_TRY(const PageKey page, named_page(flags));
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  DOLMEN_TRY(PurgeResult purged,
             flags.page.name.empty() ? opened.cache.purge_tenant(flags.page.tenant) : opened.cache.purge(page));
  if (flags.keep_bodies) purged.bodies = 0;
  if (flags.json)
    print_json(LogicalItem{{"pages", purged.pages}, {"items", purged.items}, {"bodies", purged.bodies}});
  else
    fmt::print("removed {} pages: {} items, {} bodies\n", purged.pages, purged.items, purged.bodies);
  return {};
}

}  // namespace

void add_isr(const Verb& program) {
  const Verb verb = program.verb("isr", "Look at pages that regenerate, mark them as stale, and purge them");
  const auto [looking, status_flags] =
      add_isr_verb(verb, "status", "Show whether a page is fresh, and who generates it", status);
  add_page(looking, *status_flags).required();
  const auto [purging, flags] =
      add_isr_verb(verb, "purge",
                   "Remove a page, or with --tenant alone all pages of a tenant, so that it is generated anew", purge);
  add_page(purging, *flags);
  const Option bodies = add_bodies(purging, *flags);
  purging.flag("--keep-bodies", flags->keep_bodies, "Leave the bodies where they are").not_with(bodies);
  add_fencing(purging, *flags);
  add_isr_upkeep(verb);
  add_isr_versions(verb);
}

}  // namespace dolmen::cli
