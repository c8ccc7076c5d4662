#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/value.h"

/// What a page is, how it is named, and what is known of it.
namespace dolmen {

/// What a page is called: anything, such as a path with its parameters. It is stored as its SHA-256. dolmen/isr/vary.h
/// makes keys from requests.
struct PageKey {
  std::string name;
  /// Empty when there is only one.
  std::string tenant = {};
};

/// The partition key of everything about a page: `CACHE#<sha256>` or `TENANT#<tenant>#CACHE#<sha256>`.
std::string page_partition(const PageKey& key);

/// The tenant in such a partition key; empty when it has none.
std::string tenant_of_partition(std::string_view partition);

/// SHA-256 in hexadecimal digits, as in partition keys; fit for the hashes of requests.
std::string sha256_hex(std::string_view bytes);

/// What is known of a page: its item META, and likewise each item `VER#<id>`.
struct PageMetadata {
  /// Of the body.
  std::string s3_key;
  /// Seconds since 1970.
  std::int64_t generated_at = 0;
  std::int64_t revalidate_seconds = 0;
  std::optional<std::string> etag = std::nullopt;
  /// When the item may be removed. Says nothing about freshness.
  std::optional<std::int64_t> ttl = std::nullopt;
  /// Only of META: the sort key of the version that it is, when versions are kept.
  std::optional<std::string> current_sk = std::nullopt;
  /// Only with fencing: of the lease that it was published under.
  std::optional<std::int64_t> generation = std::nullopt;

  // What follows is Dolmen's own. It is written only where it is used, and programs that do not know it ignore it.

  /// What a server sends with the body.
  std::optional<std::string> content_type = std::nullopt;
  std::optional<int> http_status = std::nullopt;
  std::map<std::string, std::string> http_headers = {};
  /// What the page was made from (`PageCache::mark_tag_stale`).
  std::set<std::string> tags = {};
  /// `PageKey::name`, with `PageCacheOptions::keep_names`.
  std::optional<std::string> page_name = std::nullopt;
  /// Only of META, with `PageCacheOptions::body_grace`: bodies that were replaced, and the second from which on they
  /// may be removed.
  std::map<std::string, std::int64_t> old_bodies = {};

  friend bool operator==(const PageMetadata&, const PageMetadata&) = default;
};

/// now < generated_at + revalidate_seconds, and nothing else.
bool is_fresh(const PageMetadata& metadata, std::chrono::system_clock::time_point now);

/// The item as it is stored. Fails with kValidation when the metadata is not valid; the message names the attribute.
Result<Item> to_metadata_item(const PageMetadata& metadata);
/// Rounds times with fractions down: a page is never taken for younger than it is. Ignores attributes beyond those of
/// FaceTheory whose type is not the one that they have here.
Result<PageMetadata> from_metadata_item(const Item& item);

/// A page that was generated.
struct GeneratedPage {
  std::string body;
  /// How long it is fresh.
  std::chrono::seconds revalidate{60};
  /// Without one, a strong tag is made from the body.
  std::optional<std::string> etag = std::nullopt;
  /// What a server is to send with the body; kept with the page. A status is 200 to 599. The names of headers are those
  /// of HTTP, and their values have no control characters; else the page is refused with kInvalidArgument.
  std::optional<std::string> content_type = std::nullopt;
  std::optional<int> http_status = std::nullopt;
  std::map<std::string, std::string> http_headers = {};
  /// What the page was made from, such as "product-17"; not empty.
  std::set<std::string> tags = {};
  /// Keep the page also as an item `VER#<version>`, which must be new, and let META point to it.
  std::optional<std::string> version = std::nullopt;
};

/// Generates a page. The token requests a stop when the lease is lost, because the page could not be published then,
/// and when the cache goes while it generates in the background.
using GeneratePage = std::function<Result<GeneratedPage>(std::stop_token)>;

}  // namespace dolmen
