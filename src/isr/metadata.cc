#include <cmath>
#include <limits>

#include "base/percent_encoding.h"
#include "dolmen/isr/isr.h"
#include "dolmen/record.h"
#include "isr/flights.h"
#include "isr/items.h"
#include "isr/page_memory.h"
#include "protocol/digest.h"

namespace dolmen {

DOLMEN_RECORD(PageMetadata, s3_key, generated_at, revalidate_seconds, etag, ttl, current_sk, generation, content_type,
              http_status, (http_headers, defaulted), tags, page_name, (old_bodies, defaulted));

namespace {

/// The name in the record.
constexpr const char* kTtl = "ttl";

constexpr std::string_view kTenantPrefix = "TENANT#";
constexpr std::string_view kCachePrefix = "CACHE#";

/// Rounds down, and limits what is too large.
std::int64_t whole(const Number& number) {
  if (const std::optional<std::int64_t> exact = number.to_int64()) return *exact;
  constexpr double kFarAway = 9e18;
  const double rough = std::floor(number.to_double());
  if (rough > kFarAway) return std::numeric_limits<std::int64_t>::max();
  if (rough < -kFarAway) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(rough);
}

/// The attributes that FaceTheory does not know, each alone. One that others use for something else is none of these.
bool has_own_type(const Item& item, const std::string& name) {
  Item alone{{isr::kBodyKey, ""}, {isr::kGeneratedAt, 0}, {isr::kRevalidate, 0}};
  alone.set(name, item.at(name));
  return from_item<PageMetadata>(alone).has_value();
}

/// An item of which other programs have written the times with fractions, and more attributes than they should.
Item mended(Item item) {
  for (const char* name : {isr::kGeneratedAt, isr::kRevalidate, kTtl})
    if (const AttributeValue* value = item.find(name))
      if (const Number* number = value->get_if<Number>()) item.set(name, whole(*number));
  for (const char* name : {"content_type", "http_status", "http_headers", isr::kTags, "page_name", isr::kOldBodies})
    if (item.contains(name) && !has_own_type(item, name)) item.erase(name);
  return item;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) { return hex_sha256(bytes); }

std::string page_partition(const PageKey& key) {
  std::string partition;
  if (!key.tenant.empty()) partition.append(kTenantPrefix).append(key.tenant).append("#");
  return partition.append(kCachePrefix).append(hex_sha256(key.name));
}

std::string tenant_of_partition(std::string_view partition) {
  const std::size_t end = partition.rfind(std::string("#").append(kCachePrefix));
  if (!partition.starts_with(kTenantPrefix) || end == std::string_view::npos || end < kTenantPrefix.size()) return {};
  return std::string(partition.substr(kTenantPrefix.size(), end - kTenantPrefix.size()));
}

bool is_fresh(const PageMetadata& metadata, std::chrono::system_clock::time_point now) {
  const std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  // Other programs may have written numbers of any size.
  std::int64_t stale_at = 0;
  if (__builtin_add_overflow(metadata.generated_at, metadata.revalidate_seconds, &stale_at))
    return metadata.revalidate_seconds > 0;
  return seconds < stale_at;
}

Result<Item> to_metadata_item(const PageMetadata& metadata) {
  DOLMEN_TRY(Item item, to_item(metadata));
  if (metadata.http_headers.empty()) item.erase("http_headers");
  if (metadata.old_bodies.empty()) item.erase(isr::kOldBodies);
  return item;
}

Result<PageMetadata> from_metadata_item(const Item& item) {
  Result<PageMetadata> metadata = from_item<PageMetadata>(item);
  return metadata ? std::move(metadata) : from_item<PageMetadata>(mended(item));
}

PageCache::PageCache(Store& store, std::string table, BodyStore& bodies, PageCacheOptions options)
    : store_(&store),
      bodies_(&bodies),
      options_(std::move(options)),
      leases_(store, std::move(table), options_.leases),
      memory_(std::make_shared<isr::PageMemory>(options_.remembered_pages_max)),
      flights_(std::make_shared<isr::Flights>(options_.executor, options_.threads_max, options_.waiting_max)) {}

PageCache PageCache::without_threads() const {
  PageCache copy = *this;
  copy.flights_.reset();
  return copy;
}

std::int64_t PageCache::now_seconds() const {
  return std::chrono::floor<std::chrono::seconds>(now()).time_since_epoch().count();
}

Item PageCache::key_of(const PageKey& key, std::string_view sort) const { return key_of(page_partition(key), sort); }

Item PageCache::key_of(const std::string& partition, std::string_view sort) const {
  const LeaseAttributes& names = leases_.options().attributes;
  return {{names.partition_key, partition}, {names.sort_key, sort}};
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

void PageCache::async_metadata(const PageKey& key, Callback<std::optional<PageMetadata>> done) {
  store_->async_get_item(leases_.table(), key_of(key, isr::kMetadata), {},
                         [cache = without_threads(), done = std::move(done)](Result<GetResult> found) mutable {
                           if (!found) return done(std::unexpected(std::move(found).error()));
                           if (!found->item) return done(std::nullopt);
                           Result<PageMetadata> metadata = cache.read_metadata(*found->item);
                           if (!metadata) return done(std::unexpected(std::move(metadata).error()));
                           done(std::move(*metadata));
                         });
}

Result<void> PageCache::put_metadata(const PageKey& key, const PageMetadata& metadata) {
  DOLMEN_TRY(const Item item, metadata_item(metadata, key_of(key, isr::kMetadata)));
  DOLMEN_TRY_VOID(store_->put_item(leases_.table(), item));
  return {};
}

}  // namespace dolmen
