#include <map>

#include "dolmen/isr/isr.h"
#include "isr/items.h"
#include "value/item_text.h"

namespace dolmen {
namespace {

using Candidates = std::map<std::string, BodyInfo>;

/// Bodies that were replaced and whose grace is not over are referred to.
void keep_old_bodies(const Item& item, std::int64_t now, Candidates& candidates) {
  const AttributeValue* old = item.find(isr::kOldBodies);
  const Item* bodies = old == nullptr ? nullptr : old->get_if<Item>();
  if (bodies == nullptr) return;
  for (const auto& [key, end] : *bodies)
    if (const Number* second = end.get_if<Number>(); second != nullptr && *second > Number(now)) candidates.erase(key);
}

}  // namespace

/// Bodies are listed before the items are read, because a body is stored before an item refers to it.
Result<SweepResult> PageCache::sweep(const SweepOptions& options) {
  SweepResult result;
  Candidates candidates;
  DOLMEN_TRY_VOID(bodies_->list(options_.body_prefix, [&](const std::string& key, const BodyInfo& info) {
    ++result.bodies;
    if (info.modified_at + options.older_than <= now()) candidates.emplace(key, info);
  }));
  const std::int64_t now = now_seconds();
  for (const Result<Item>& item : store_->scan(leases_.table(), {.consistent_read = true})) {
    if (!item) return std::unexpected(item.error());
    for (const char* attribute : {isr::kBodyKey, isr::kResult}) candidates.erase(text_of(*item, attribute));
    keep_old_bodies(*item, now, candidates);
  }
  for (const auto& [key, info] : candidates) {
    if (!options.dry_run) DOLMEN_TRY_VOID(bodies_->remove(key));
    ++result.removed;
    result.removed_bytes += info.bytes;
  }
  return result;
}

}  // namespace dolmen
