#include "dolmen/isr.h"
#include "dolmen/record.h"
#include "isr/items.h"
#include "protocol/digest.h"

namespace dolmen {

DOLMEN_RECORD(PageMetadata, s3_key, generated_at, revalidate_seconds, etag, ttl, current_sk, generation);

std::string sha256_hex(std::string_view bytes) { return hex_sha256(bytes); }

std::string page_partition(const PageKey& key) {
  const std::string hashed = "CACHE#" + hex_sha256(key.name);
  return key.tenant.empty() ? hashed : "TENANT#" + key.tenant + "#" + hashed;
}

bool is_fresh(const PageMetadata& metadata, std::chrono::system_clock::time_point now) {
  const std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  // Others may have written numbers of any size.
  std::int64_t stale_at = 0;
  if (__builtin_add_overflow(metadata.generated_at, metadata.revalidate_seconds, &stale_at))
    return metadata.revalidate_seconds > 0;
  return seconds < stale_at;
}

Result<Item> to_metadata_item(const PageMetadata& metadata) { return to_item(metadata); }

Result<PageMetadata> from_metadata_item(const Item& item) { return from_item<PageMetadata>(item); }

PageCache::PageCache(Store& store, std::string table, BodyStore& bodies, PageCacheOptions options)
    : store_(&store),
      bodies_(&bodies),
      options_(std::move(options)),
      leases_(store, std::move(table), options_.leases) {}

std::int64_t PageCache::now_seconds() const {
  return std::chrono::floor<std::chrono::seconds>(now()).time_since_epoch().count();
}

Item PageCache::key_of(const PageKey& key, std::string_view sort) const {
  const LeaseAttributes& names = leases_.options().attributes;
  return {{names.partition_key, page_partition(key)}, {names.sort_key, sort}};
}

std::string PageCache::body_folder(const std::string& partition) const {
  return options_.body_prefix + partition + "/";
}

Result<std::optional<PageMetadata>> PageCache::metadata(const PageKey& key) {
  DOLMEN_TRY(const GetResult found, store_->get_item(leases_.table(), key_of(key, isr::kMetadata)));
  if (!found.item) return std::nullopt;
  return from_metadata_item(*found.item);
}

Result<void> PageCache::put_metadata(const PageKey& key, const PageMetadata& metadata) {
  DOLMEN_TRY(Item item, to_metadata_item(metadata));
  for (const auto& [name, value] : key_of(key, isr::kMetadata)) item.set(name, value);
  DOLMEN_TRY_VOID(store_->put_item(leases_.table(), item));
  return {};
}

}  // namespace dolmen
