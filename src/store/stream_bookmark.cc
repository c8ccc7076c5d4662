#include "store/stream_bookmark.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "base/fail.h"

namespace dolmen {
namespace {

constexpr std::string_view kFormat = "1";

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string place_text(const ShardPlace& place) {
  switch (place.kind) {
    case ShardPlace::Kind::kOldest: return "o";
    case ShardPlace::Kind::kSince: return fmt::format("s{}", place.since_s);
    case ShardPlace::Kind::kAfter: return "a" + place.number;
    case ShardPlace::Kind::kEnd: return "e";
  }
  return "";
}

/// The text up to the next bar, which is removed too.
std::string_view take_part(std::string_view& rest) {
  const std::size_t bar = std::min(rest.find('|'), rest.size());
  const std::string_view part = rest.substr(0, bar);
  rest.remove_prefix(std::min(bar + 1, rest.size()));
  return part;
}

std::optional<ShardPlace> parse_place(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size()) return std::nullopt;
  ShardPlace place{.shard = std::string(text.substr(0, equals))};
  const char kind = text[equals + 1];
  const std::string_view value = text.substr(equals + 2);
  if (kind == 'o' && value.empty()) return place;
  if (kind == 'e' && value.empty()) {
    place.kind = ShardPlace::Kind::kEnd;
    return place;
  }
  if (!is_number(value)) return std::nullopt;
  if (kind == 'a') {
    place.kind = ShardPlace::Kind::kAfter;
    place.number = value;
    return place;
  }
  place.kind = ShardPlace::Kind::kSince;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), place.since_s);
  return kind == 's' && error == std::errc() ? std::optional(std::move(place)) : std::nullopt;
}

}  // namespace

std::string bookmark_text(const StreamBookmark& bookmark) {
  std::string text = fmt::format("{}|{}", kFormat, bookmark.arn);
  for (const ShardPlace& place : bookmark.places) text += fmt::format("|{}={}", place.shard, place_text(place));
  return text;
}

Result<StreamBookmark> parse_bookmark(std::string_view text) {
  const auto invalid = [&] { return fail(Code::kInvalidArgument, "\"{}\" is not a position in a stream", text); };
  std::string_view rest = text;
  if (take_part(rest) != kFormat) return invalid();
  StreamBookmark bookmark{.arn = std::string(take_part(rest))};
  if (!bookmark.arn.starts_with("arn:") || text.ends_with('|')) return invalid();
  while (!rest.empty()) {
    std::optional<ShardPlace> place = parse_place(take_part(rest));
    if (!place) return invalid();
    const auto same = std::ranges::find(bookmark.places, place->shard, &ShardPlace::shard);
    if (same != bookmark.places.end()) return invalid();
    bookmark.places.push_back(*std::move(place));
  }
  return bookmark;
}

}  // namespace dolmen
