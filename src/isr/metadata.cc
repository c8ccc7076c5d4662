#include "base/percent_encoding.h"
#include "dolmen/isr/isr.h"
#include "dolmen/record.h"
#include "isr/items.h"
#include "protocol/digest.h"

namespace dolmen {

DOLMEN_RECORD(PageMetadata, s3_key, generated_at, revalidate_seconds, etag, ttl, current_sk, generation);

namespace {

/// The name in the record.
constexpr const char* kTtl = "ttl";

}  // namespace

std::string sha256_hex(std::string_view bytes) { return hex_sha256(bytes); }

std::string page_partition(const PageKey& key) {
  const std::string hashed = "CACHE#" + hex_sha256(key.name);
  return key.tenant.empty() ? hashed : "TENANT#" + key.tenant + "#" + hashed;
}

bool is_fresh(const PageMetadata& metadata, std::chrono::system_clock::time_point now) {
  const std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  // Other programs may have written numbers of any size.
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

std::string PageCache::ttl_name() const {
  const std::string& name = leases_.options().attributes.ttl;
  return name.empty() ? kTtl : name;
}

Result<Item> PageCache::metadata_item(const PageMetadata& metadata, const Item& key) const {
  DOLMEN_TRY(Item item, to_metadata_item(metadata));
  if (metadata.ttl) {
    item.erase(kTtl);
    item.set(ttl_name(), *metadata.ttl);
  }
  for (const auto& [name, value] : key) item.set(name, value);
  return item;
}

Result<PageMetadata> PageCache::read_metadata(const Item& item) const {
  if (ttl_name() == kTtl) return from_metadata_item(item);
  Item renamed = item;
  renamed.erase(kTtl);
  if (const AttributeValue* ttl = item.find(ttl_name())) renamed.set(kTtl, *ttl);
  return from_metadata_item(renamed);
}

/// A valid file name of limited length for any name of a tenant.
std::string PageCache::body_folder(const PageKey& key) const {
  constexpr std::size_t kTenantBytesMax = 100;
  std::string tenant = percent_encoded(key.tenant);
  if (tenant.size() > kTenantBytesMax) tenant = "sha256-" + hex_sha256(key.tenant);
  return options_.body_prefix + page_partition({.name = key.name, .tenant = tenant}) + "/";
}

/// Nothing when the body does not exist, or when the key, which other programs may have written, is not valid.
Result<std::optional<std::string>> PageCache::body(const std::string& key) {
  Result<std::optional<std::string>> body = bodies_->get(key);
  if (!body && body.error().code() == Code::kInvalidArgument) return std::nullopt;
  return body;
}

Result<std::optional<PageMetadata>> PageCache::metadata(const PageKey& key) {
  DOLMEN_TRY(const GetResult found, store_->get_item(leases_.table(), key_of(key, isr::kMetadata)));
  if (!found.item) return std::nullopt;
  return read_metadata(*found.item);
}

Result<void> PageCache::put_metadata(const PageKey& key, const PageMetadata& metadata) {
  DOLMEN_TRY(const Item item, metadata_item(metadata, key_of(key, isr::kMetadata)));
  DOLMEN_TRY_VOID(store_->put_item(leases_.table(), item));
  return {};
}

}  // namespace dolmen
