#include <set>

#include "base/fail.h"
#include "dolmen/batch.h"
#include "dolmen/isr/isr.h"
#include "isr/items.h"
#include "isr/page_memory.h"
#include "value/item_text.h"

namespace dolmen {
namespace {

/// Adds the keys of the bodies that an item names.
void collect_bodies(const Item& item, std::set<std::string>& bodies) {
  for (const char* attribute : {isr::kBodyKey, isr::kResult})
    if (std::string key = text_of(item, attribute); !key.empty()) bodies.insert(std::move(key));
  const AttributeValue* old = item.find(isr::kOldBodies);
  if (const Item* map = old == nullptr ? nullptr : old->get_if<Item>())
    for (const auto& [key, end] : *map) bodies.insert(key);
}

}  // namespace

/// From now on the holder of the lease cannot publish.
Result<void> PageCache::break_lease(const std::string& partition) {
  const LeaseAttributes& names = leases_.options().attributes;
  const Item key = key_of(partition, isr::kLock);
  if (!leases_.options().fencing) {
    DOLMEN_TRY_VOID(store_->delete_item(leases_.table(), key));
    return {};
  }
  Update free;
  free.set(attr(names.expires_at), 0);
  const Result<WriteResult> written =
      store_->update_item(leases_.table(), key, free, {.condition = attr(names.partition_key).exists()});
  if (!written && written.error().code() != Code::kConditionFailed) return std::unexpected(written.error());
  return {};
}

/// Breaks the lease first, so that a page that is published meanwhile was generated after the purge began; that page is
/// kept.
Result<void> PageCache::purge_partition(const std::string& partition, PurgeResult& result) {
  const LeaseAttributes& names = leases_.options().attributes;
  memory_->forget(partition);
  DOLMEN_TRY_VOID(break_lease(partition));
  std::vector<BatchAction> others;
  std::set<std::string> bodies;
  bool had_page = false;
  const QueryOptions all{.key = key(names.partition_key) == partition, .consistent_read = true};
  for (const Result<Item>& item : store_->query(leases_.table(), all)) {
    if (!item) return std::unexpected(item.error());
    const AttributeValue sort = item->at(names.sort_key);
    if (sort == AttributeValue(isr::kLock)) continue;
    const Item key = key_of(partition, sort.string());
    if (sort == AttributeValue(isr::kMetadata)) {
      const AttributeValue* seen = item->find(isr::kBodyKey);
      const Condition same = seen == nullptr ? attr(isr::kBodyKey).not_exists() : attr(isr::kBodyKey) == *seen;
      const Result<WriteResult> removed = store_->delete_item(leases_.table(), key, {.condition = same});
      if (!removed && removed.error().code() == Code::kConditionFailed) continue;
      if (!removed) return std::unexpected(removed.error());
      had_page = true;
      ++result.items;
    } else {
      others.emplace_back(BatchDelete{.table = leases_.table(), .key = key});
    }
    collect_bodies(*item, bodies);
  }
  result.pages += had_page ? 1 : 0;
  const WriteAllResult removed = write_all(*store_, std::move(others));
  result.items += removed.done;
  if (removed.error) return std::unexpected(*removed.error);
  if (!removed.complete())
    return fail(Code::kThrottled, "{} items of {} were not removed", removed.not_done.size(), partition);
  for (const std::string& body : bodies) {
    const Result<void> gone = bodies_->remove(body);
    // An invalid key names no body, and must not prevent the removal of the others.
    if (!gone && gone.error().code() == Code::kInvalidArgument) continue;
    if (!gone) return std::unexpected(gone.error());
    ++result.bodies;
  }
  return {};
}

Result<PurgeResult> PageCache::purge(const PageKey& key) {
  PurgeResult result;
  DOLMEN_TRY_VOID(purge_partition(page_partition(key), result));
  return result;
}

Result<PurgeResult> PageCache::purge_tenant(const std::string& tenant) {
  DOLMEN_TRY(const std::set<std::string> partitions, partitions_of(tenant));
  PurgeResult result;
  for (const std::string& partition : partitions) DOLMEN_TRY_VOID(purge_partition(partition, result));
  return result;
}

}  // namespace dolmen
