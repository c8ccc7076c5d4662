#include "engine/stream_position.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <limits>

#include "base/arn.h"
#include "base/base64.h"
#include "base/fail.h"
#include "base/varint.h"
#include "service/table_rules.h"

namespace dolmen::engine::streams {
namespace {

constexpr std::size_t kNumberDigits = 20;
constexpr std::string_view kTablePart = "table/";
constexpr std::string_view kStreamPart = "/stream/";
/// Between the ARN and the rest of an iterator. An ARN cannot have it.
constexpr std::string_view kVersion = "|1|";

std::unexpected<Error> invalid_arn() { return fail(Code::kValidation, "Invalid StreamArn"); }
std::unexpected<Error> invalid_iterator() { return fail(Code::kValidation, "Invalid ShardIterator"); }

bool is_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_name(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_name_character); }

/// 2026-11-16T10:20:30.123
bool is_label(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00.000";
  return text.size() == kForm.size() && std::ranges::equal(text, kForm, [](char c, char form) {
           return form == '0' ? c >= '0' && c <= '9' : c == form;
         });
}

}  // namespace

std::string sequence_number(std::uint64_t number) { return fmt::format("1{:020}", number); }

std::optional<std::uint64_t> number_of(std::string_view sequence_number) {
  if (sequence_number.size() != 1 + kNumberDigits || sequence_number.front() != '1' || !is_digits(sequence_number))
    return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(sequence_number.data() + 1, sequence_number.data() + sequence_number.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

std::string shard_id(const Stream& stream, std::uint8_t shard) {
  return fmt::format("shardId-{:020}-{:02x}{:06x}", stream.created.time_since_epoch().count(), shard,
                     stream.id & 0xFFFFFFU);
}

std::optional<std::uint8_t> shard_of(const Stream& stream, std::string_view id) {
  for (std::uint8_t shard = 0; shard < stream.shards; ++shard)
    if (shard_id(stream, shard) == id) return shard;
  return std::nullopt;
}

Result<ArnParts> parse_arn(std::string_view text) {
  const Arn arn = split_arn(text);
  const std::string_view resource = arn.resource();
  const std::size_t stream_at = resource.find(kStreamPart);
  if (!arn.is_whole() || !resource.starts_with(kTablePart) || stream_at == std::string_view::npos ||
      stream_at < kTablePart.size())
    return invalid_arn();
  const std::string_view table_part = resource.substr(0, stream_at);
  const std::string_view label_part = resource.substr(stream_at);
  const ArnParts parts{.table_arn = text.substr(0, text.size() - label_part.size()),
                       .table = table_part.substr(kTablePart.size()),
                       .label = label_part.substr(kStreamPart.size())};
  if (!is_name(parts.table) || !is_label(parts.label)) return invalid_arn();
  return parts;
}

std::string iterator_text(const Place& place) {
  std::string bytes(1, static_cast<char>(place.shard));
  append_varint(bytes, place.next);
  append_varint(bytes, static_cast<std::uint64_t>(place.issued.time_since_epoch().count()));
  std::string text = place.arn;
  text.append(kVersion);
  append_base64(text, bytes);
  return text;
}

Result<Place> parse_iterator(std::string_view text) {
  const std::size_t version_at = text.find(kVersion);
  if (version_at == std::string_view::npos) return invalid_iterator();
  Place place{.arn = std::string(text.substr(0, version_at))};
  const Result<std::string> bytes = decode_base64(text.substr(version_at + kVersion.size()));
  if (!bytes || bytes->empty() || !parse_arn(place.arn)) return invalid_iterator();
  place.shard = static_cast<std::uint8_t>(bytes->front());
  std::string_view rest = std::string_view(*bytes).substr(1);
  const std::optional<std::uint64_t> next = take_varint(rest);
  const std::optional<std::uint64_t> issued = next ? take_varint(rest) : std::nullopt;
  constexpr auto kTimeMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 2);
  if (!issued || !rest.empty() || place.shard >= kStreamShardsMax || *next == 0 || *issued > kTimeMax)
    return invalid_iterator();
  place.next = *next;
  place.issued = TableTime(std::chrono::milliseconds(static_cast<std::int64_t>(*issued)));
  return place;
}

}  // namespace dolmen::engine::streams
