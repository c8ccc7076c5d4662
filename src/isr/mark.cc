#include "base/fail.h"
#include "dolmen/isr/isr.h"
#include "isr/items.h"

namespace dolmen {
namespace {

/// What the keys of a tenant's partitions begin with.
std::string tenant_prefix(const std::string& tenant) { return "TENANT#" + tenant + "#CACHE#"; }

}  // namespace

/// Breaks the lease first: a page that is published between the two steps was generated after this call began, and is
/// only generated once more than it must be.
Result<bool> PageCache::mark_partition_stale(const std::string& partition) {
  DOLMEN_TRY_VOID(break_lease(partition));
  const Item key = key_of(partition, isr::kMetadata);
  const Condition exists = attr(leases_.options().attributes.partition_key).exists();
  Update stale;
  stale.set(attr(isr::kRevalidate), 0);
  const Condition in_the_past = attr(isr::kGeneratedAt) <= now_seconds();
  Result<WriteResult> written = store_->update_item(leases_.table(), key, stale, {.condition = exists && in_the_past});
  if (written) return true;
  if (written.error().code() != Code::kConditionFailed) return std::unexpected(written.error());
  // A clock that is ahead generated it in the future, if there is such a page.
  stale.set(attr(isr::kGeneratedAt), now_seconds());
  written = store_->update_item(leases_.table(), key, stale, {.condition = exists});
  if (written) return true;
  if (written.error().code() != Code::kConditionFailed) return std::unexpected(written.error());
  return false;
}

Result<bool> PageCache::mark_stale(const PageKey& key) { return mark_partition_stale(page_partition(key)); }

Result<std::size_t> PageCache::mark_tag_stale(const std::string& tag, const std::optional<std::string>& tenant) {
  if (tag.empty()) return fail(Code::kInvalidArgument, "the tag is empty");
  DOLMEN_TRY(const PageList tagged, list({.tenant = tenant, .tag = tag}));
  std::size_t count = 0;
  for (const ListedPage& page : tagged.pages) {
    DOLMEN_TRY(const bool was_there, mark_partition_stale(page.partition));
    count += was_there ? 1 : 0;
  }
  return count;
}

/// Also those of which there is no page yet: whoever is generating one must begin anew.
Result<std::size_t> PageCache::mark_tenant_stale(const std::string& tenant) {
  DOLMEN_TRY(const std::set<std::string> partitions, partitions_of(tenant));
  std::size_t count = 0;
  for (const std::string& partition : partitions) {
    DOLMEN_TRY(const bool was_there, mark_partition_stale(partition));
    count += was_there ? 1 : 0;
  }
  return count;
}

Result<std::set<std::string>> PageCache::partitions_of(const std::string& tenant) {
  if (tenant.empty()) return fail(Code::kInvalidArgument, "the tenant has no name");
  const std::string& partition_key = leases_.options().attributes.partition_key;
  const ScanOptions of_tenant{.filter = attr(partition_key).begins_with(tenant_prefix(tenant)),
                              .projection = {attr(partition_key)},
                              .consistent_read = true};
  std::set<std::string> partitions;
  for (const Result<Item>& item : store_->scan(leases_.table(), of_tenant)) {
    if (!item) return std::unexpected(item.error());
    const std::string& partition = item->at(partition_key).string();
    // A tenant whose name contains "#CACHE#" has the same prefix.
    if (tenant_of_partition(partition) == tenant) partitions.insert(partition);
  }
  return partitions;
}

Result<PageList> PageCache::list(const ListPages& options) {
  const LeaseAttributes& names = leases_.options().attributes;
  ScanOptions pages{.filter = attr(names.sort_key) == isr::kMetadata, .consistent_read = true};
  if (options.tenant && !options.tenant->empty())
    pages.filter = std::move(pages.filter) && attr(names.partition_key).begins_with(tenant_prefix(*options.tenant));
  if (options.tag) pages.filter = std::move(pages.filter) && attr(isr::kTags).contains(*options.tag);
  if (options.after) pages.start_after = key_of(*options.after, isr::kMetadata);
  PageList found;
  for (const Result<Item>& item : store_->scan(leases_.table(), pages)) {
    if (!item) return std::unexpected(item.error());
    Result<PageMetadata> metadata = read_metadata(*item);
    const std::string& partition = item->at(names.partition_key).string();
    std::string tenant = tenant_of_partition(partition);
    if (!metadata || (options.tenant && tenant != *options.tenant)) continue;
    // What others keep as tags may be something else that contains the text.
    if (options.tag && !metadata->tags.contains(*options.tag)) continue;
    if (options.limit > 0 && found.pages.size() == options.limit) {
      found.next = found.pages.back().partition;
      break;
    }
    found.pages.push_back({.partition = partition,
                           .tenant = std::move(tenant),
                           .fresh = is_fresh(*metadata, now()),
                           .metadata = std::move(*metadata)});
  }
  return found;
}

}  // namespace dolmen
