#include <fmt/format.h>

#include "base/fail.h"
#include "base/saturating.h"
#include "cli/isr_flags.h"
#include "cli/print_json.h"

namespace dolmen::cli {
namespace {

Result<std::size_t> mark(const IsrFlags& flags, PageCache& cache) {
  if (!flags.tag.empty())
    return cache.mark_tag_stale(flags.tag, flags.page.tenant.empty() ? std::nullopt : std::optional(flags.page.tenant));
  if (flags.page.name.empty()) return cache.mark_tenant_stale(flags.page.tenant);
  DOLMEN_TRY(const PageKey page, named_page(flags));
  DOLMEN_TRY(const bool was_there, cache.mark_stale(page));
  if (!was_there) return fail(Code::kItemNotFound, "there is no page {}", page_partition(page));
  return 1;
}

Result<void> mark_stale(const IsrFlags& flags) {
  if (flags.page.name.empty() && flags.page.tenant.empty() && flags.tag.empty())
    return fail(Code::kInvalidArgument, "name a page, or give --tag or --tenant to mark all pages with one");
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  DOLMEN_TRY(const std::size_t marked, mark(flags, opened.cache));
  if (flags.json)
    print_json(LogicalItem{{"pages", marked}});
  else
    fmt::print("marked {} pages as stale\n", marked);
  return {};
}

void print_list(const PageList& list, std::int64_t now) {
  for (const ListedPage& page : list.pages) {
    const std::string name = page.metadata.page_name.value_or(page.partition);
    fmt::print("{}  {:>8} s ago  {}{}\n", page.fresh ? "fresh" : "stale",
               saturating_subtract(now, page.metadata.generated_at),
               page.tenant.empty() || !page.metadata.page_name ? "" : page.tenant + " ", name);
  }
  fmt::print("{} pages\n", list.pages.size());
  if (list.next) fmt::print("more with --after '{}'\n", *list.next);
}

void print_list_json(const PageList& list) {
  LogicalValue::List pages;
  for (const ListedPage& page : list.pages) {
    LogicalItem item = described_page(page.metadata);
    item["pk"] = page.partition;
    item["state"] = page.fresh ? "fresh" : "stale";
    if (!page.tenant.empty()) item["tenant"] = page.tenant;
    pages.emplace_back(std::move(item));
  }
  LogicalItem all{{"pages", std::move(pages)}};
  if (list.next) all["next"] = *list.next;
  print_json(all);
}

Result<void> list(const IsrFlags& flags) {
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  ListPages options{.limit = flags.limit};
  if (!flags.page.tenant.empty()) options.tenant = flags.page.tenant;
  if (!flags.tag.empty()) options.tag = flags.tag;
  if (!flags.after.empty()) options.after = flags.after;
  DOLMEN_TRY(PageList found, opened.cache.list(options));
  if (!flags.state.empty())
    std::erase_if(found.pages, [&](const ListedPage& page) { return page.fresh != (flags.state == "fresh"); });
  const auto now = std::chrono::floor<std::chrono::seconds>(opened.cache.leases().options().clock.now());
  if (flags.json)
    print_list_json(found);
  else
    print_list(found, now.time_since_epoch().count());
  return {};
}

Result<void> sweep(const IsrFlags& flags) {
  DOLMEN_TRY(OpenedCache opened, open_cache(flags));
  DOLMEN_TRY(const SweepResult swept, opened.cache.sweep({.older_than = std::chrono::seconds(flags.older_than_seconds),
                                                          .dry_run = flags.dry_run}));
  if (flags.json)
    print_json(
        LogicalItem{{"bodies", swept.bodies}, {"removed", swept.removed}, {"removed_bytes", swept.removed_bytes}});
  else
    fmt::print("{} {} of {} bodies, {} bytes\n", flags.dry_run ? "would remove" : "removed", swept.removed,
               swept.bodies, swept.removed_bytes);
  return {};
}

}  // namespace

void add_isr_upkeep(const Verb& parent) {
  const auto [marking, mark_flags] = add_isr_verb(
      parent, "mark-stale",
      "Let a page, or all pages with a tag or of a tenant, be generated anew, and serve them until then", mark_stale);
  const Option page = add_page(marking, *mark_flags);
  marking.text("--tag", mark_flags->tag, "All pages with this tag; with --tenant only those of the tenant")
      .not_empty()
      .not_with(page);
  add_fencing(marking, *mark_flags);

  const auto [listing, list_flags] =
      add_isr_verb(parent, "list", "List pages, with their names if they were published with them", list);
  listing.text("--tenant", list_flags->page.tenant, "Only pages of this tenant").not_empty();
  listing.text("--tag", list_flags->tag, "Only pages with this tag").not_empty();
  listing.text("--state", list_flags->state, "Only pages that are fresh, or stale").one_of({"fresh", "stale"});
  listing.number("--limit", list_flags->limit, "Largest number of pages", {1, 1'000'000});
  listing.text("--after", list_flags->after, "Go on after this page, as the list before said").shown_as("PK");

  const auto [sweeping, sweep_flags] =
      add_isr_verb(parent, "sweep", "Remove bodies that no item refers to, such as those of programs that died", sweep);
  add_bodies(sweeping, *sweep_flags).required();
  sweeping
      .text("--prefix", sweep_flags->prefix,
            "What the keys of the bodies begin with; no other table may have bodies there")
      .not_empty();
  sweeping.number("--older-than", sweep_flags->older_than_seconds,
                  "Seconds; younger bodies stay, because their page may be about to be published", {.smallest = 0});
  sweeping.flag("--dry-run", sweep_flags->dry_run, "Only count");
}

}  // namespace dolmen::cli
