#include "buckets/bucket_listing.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/fail.h"
#include "base/percent_encoding.h"
#include "dolmen/number.h"
#include "dolmen/timestamp.h"
#include "protocol/xml_element.h"

namespace dolmen {
namespace {

constexpr std::string_view kObject = "<Contents>";
constexpr std::string_view kObjectEnd = "</Contents>";

std::string without_entities(std::string text) {
  // The ampersand last: what it begins then is text.
  constexpr auto kEntities = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}});
  for (const auto& [entity, character] : kEntities)
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, entity.size(), character);
  return text;
}

/// A space is written as a plus sign, and a plus sign as %2B.
std::optional<std::string> url_decoded(std::string text) {
  std::ranges::replace(text, '+', ' ');
  return percent_decoded(text);
}

Result<ObjectInfo> read_object(std::string_view xml, bool url_encoded) {
  const std::string key = without_entities(xml_element(xml, "Key"));
  const std::optional<std::string> decoded = url_encoded ? url_decoded(key) : key;
  const Result<Number> size = Number::parse(xml_element(xml, "Size"));
  const std::optional<std::uint64_t> bytes = size ? size->to_uint64() : std::nullopt;
  const Result<Timestamp> modified = parse_timestamp(xml_element(xml, "LastModified"));
  if (!decoded || decoded->empty() || !bytes || !modified)
    return fail(Code::kUnexpectedResponse, "the bucket lists an object without its key, size or time: {}", key);
  return ObjectInfo{.key = *decoded, .bytes = *bytes, .modified_at = modified->to_time_point()};
}

}  // namespace

Result<BucketListing> read_bucket_listing(std::string_view xml) {
  BucketListing listing;
  const bool url_encoded = xml_element(xml, "EncodingType") == "url";
  for (std::size_t at = xml.find(kObject); at != std::string_view::npos; at = xml.find(kObject, at + 1)) {
    const std::size_t end = std::min(xml.find(kObjectEnd, at), xml.size());
    DOLMEN_TRY(ObjectInfo object, read_object(xml.substr(at, end - at), url_encoded));
    listing.objects.push_back(std::move(object));
  }
  if (xml_element(xml, "IsTruncated") == "true")
    listing.next = without_entities(xml_element(xml, "NextContinuationToken"));
  return listing;
}

}  // namespace dolmen
