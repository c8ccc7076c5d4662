#include <fmt/format.h>

#include "base/saturating.h"
#include "cli/isr_flags.h"
#include "cli/print_json.h"

namespace dolmen::cli {
namespace {

Result<void> versions(const IsrFlags& flags) {
  DOLMEN_TRY(const PageKey page, named_page(flags));
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  DOLMEN_TRY(const std::optional<PageMetadata> current, opened.cache.metadata(page));
  DOLMEN_TRY(const std::vector<PageVersion> found, opened.cache.versions(page));
  const auto is_current = [&](const PageVersion& version) {
    return current && current->current_sk == "VER#" + version.id;
  };
  if (flags.json) {
    LogicalValue::List all;
    for (const PageVersion& version : found) {
      LogicalItem item = described_page(version.metadata);
      item["version"] = version.id;
      item["current"] = is_current(version);
      all.emplace_back(std::move(item));
    }
    print_json(LogicalItem{{"versions", std::move(all)}});
    return {};
  }
  const auto now = std::chrono::floor<std::chrono::seconds>(opened.cache.leases().options().clock.now());
  for (const PageVersion& version : found)
    fmt::print("{} {:>8} s ago  {}\n", is_current(version) ? "*" : " ",
               saturating_subtract(now.time_since_epoch().count(), version.metadata.generated_at), version.id);
  fmt::print("{} versions\n", found.size());
  return {};
}

Result<void> restore(const IsrFlags& flags) {
  DOLMEN_TRY(const PageKey page, named_page(flags));
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  DOLMEN_TRY(LeaseGuard guard, opened.cache.hold(page));
  DOLMEN_TRY(const Lease lease, guard.lease());
  DOLMEN_TRY(const PageMetadata restored, opened.cache.restore(lease, page, flags.version));
  guard.forget();
  const bool fresh = is_fresh(restored, opened.cache.leases().options().clock.now());
  if (flags.json) {
    LogicalItem item = described_page(restored);
    item["state"] = fresh ? "fresh" : "stale";
    print_json(item);
  } else {
    fmt::print("restored {}{}\n", flags.version, fresh ? "" : ", which is stale: the next visit regenerates the page");
  }
  return {};
}

}  // namespace

void add_isr_versions(const Verb& parent) {
  const auto [listing, list_flags] = add_isr_verb(parent, "versions", "List the versions of a page", versions);
  add_page(listing, *list_flags).required();

  const auto [restoring, flags] =
      add_isr_verb(parent, "restore", "Let a page be an older version until it is generated anew", restore);
  add_page(restoring, *flags).required();
  restoring.text("VERSION", flags->version, "Id of the version").not_empty().required();
  add_bodies(restoring, *flags);
  add_fencing(restoring, *flags);
}

}  // namespace dolmen::cli
