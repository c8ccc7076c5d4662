// ListStreams, DescribeStream, GetShardIterator, GetRecords.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/here_or_elsewhere.h"
#include "engine/stream_log.h"
#include "engine/stream_position.h"
#include "engine/stream_reading.h"

namespace dolmen::engine {
namespace {

constexpr int kPageMax = 100;
constexpr int kRecordsMax = 1000;
constexpr std::chrono::minutes kIteratorLife{15};

std::unexpected<Error> no_stream(std::string_view arn) {
  return fail(Code::kStreamNotFound, "Requested resource not found: Stream: {} not found", arn);
}

std::unexpected<Error> no_shard() {
  return fail(Code::kStreamNotFound, "Requested resource not found: Shard does not exist");
}

/// A limit that a caller gave, or the largest one.
Result<std::size_t> limit_of(std::optional<int> given, int max) {
  const int limit = given.value_or(max);
  if (limit >= 1 && limit <= max) return static_cast<std::size_t>(limit);
  return fail(Code::kValidation,
              "1 validation error detected: Value '{}' at 'limit' failed to satisfy constraint: Member must have value "
              "{} than or equal to {}",
              limit, limit < 1 ? "greater" : "less", limit < 1 ? 1 : max);
}

bool needs_number(ShardIteratorType type) {
  return type == ShardIteratorType::kAtSequenceNumber || type == ShardIteratorType::kAfterSequenceNumber;
}

Result<void> check_number_given(const GetShardIteratorRequest& request) {
  if (needs_number(request.type) == request.sequence_number.has_value()) return {};
  return fail(
      Code::kValidation, "One or more parameter values were invalid: SequenceNumber {} for ShardIteratorType {}",
      request.sequence_number ? "must not be specified" : "is required", shard_iterator_type_name(request.type));
}

Result<void> check_time_given(const GetShardIteratorRequest& request) {
  if ((request.type == ShardIteratorType::kAtTimestamp) == request.timestamp.has_value()) return {};
  return fail(Code::kValidation, "One or more parameter values were invalid: Timestamp {} for ShardIteratorType {}",
              request.timestamp ? "must not be specified" : "is required", shard_iterator_type_name(request.type));
}

/// The number of the record at which reading begins.
Result<std::uint64_t> place_of(const storage::Storage& storage, const streams::Stream& stream, std::uint8_t shard,
                               const GetShardIteratorRequest& request) {
  if (request.type == ShardIteratorType::kTrimHorizon) return streams::first_number(storage, stream.id, shard);
  DOLMEN_TRY(const std::uint64_t last, streams::last_number(storage, stream.id, shard));
  if (request.type == ShardIteratorType::kLatest) return last + 1;
  if (request.type == ShardIteratorType::kAtTimestamp)
    return streams::first_since(storage, stream.id, shard, *request.timestamp);
  const std::optional<std::uint64_t> number = streams::number_of(*request.sequence_number);
  if (!number || *number > last) return fail(Code::kValidation, "Invalid SequenceNumber");
  const bool after = request.type == ShardIteratorType::kAfterSequenceNumber;
  // Number 0 is the start of the shard, where no record is.
  const std::uint64_t next = after || *number == 0 ? *number + 1 : *number;
  DOLMEN_TRY(const std::uint64_t first, streams::first_number(storage, stream.id, shard));
  if (next < first) return fail(Code::kStreamTrimmed, "The data you are trying to access has been trimmed");
  return next;
}

Result<StreamShard> shard_in(const storage::Storage& storage, const streams::Stream& stream, std::uint8_t shard) {
  StreamShard described{.id = streams::shard_id(stream, shard), .first_number = streams::sequence_number(0)};
  if (stream.ended) {
    DOLMEN_TRY(const std::uint64_t last, streams::last_number(storage, stream.id, shard));
    described.last_number = streams::sequence_number(last);
  }
  return described;
}

}  // namespace

void Engine::start(ListStreams /*operation*/, ListStreamsRequest request, Done<StreamPage> done) {
  done(list_streams(request));
}

void Engine::start(DescribeStream /*operation*/, DescribeStreamRequest request, Done<StreamDescription> done) {
  done(describe_stream(request));
}

void Engine::start(GetShardIterator /*operation*/, GetShardIteratorRequest request, Done<ShardIterator> done) {
  done(shard_iterator(request));
}

void Engine::start(GetRecords /*operation*/, GetRecordsRequest request, Done<GetRecordsResponse> done) {
  read_here_or_elsewhere<GetRecordsResponse>(*storage_, std::move(request), std::move(done),
                                             [this](const GetRecordsRequest& asked) { return read_records(asked); });
}

Result<streams::Stream> Engine::find_stream(const std::string& arn) const {
  DOLMEN_TRY(const streams::ArnParts parts, streams::parse_arn(arn));
  if (parts.table_arn != arn_of(parts.table)) return no_stream(arn);
  DOLMEN_TRY(std::optional<streams::Stream> stream, streams::find(*storage_, parts.table, parts.label));
  if (!stream) return no_stream(arn);
  return *std::move(stream);
}

StreamName Engine::name_of(const streams::Stream& stream) const {
  return {.arn = fmt::format("{}/stream/{}", arn_of(stream.table), stream.label),
          .table = stream.table,
          .label = stream.label};
}

Result<StreamPage> Engine::list_streams(const ListStreamsRequest& request) const {
  DOLMEN_TRY(const std::size_t limit, limit_of(request.limit, kPageMax));
  std::optional<std::pair<std::string, std::string>> after;
  if (request.after) {
    DOLMEN_TRY(const streams::ArnParts parts, streams::parse_arn(*request.after));
    after.emplace(parts.table, parts.label);
  }
  DOLMEN_TRY(const std::vector<streams::Stream> found, streams::list(*storage_, request.of_table, after, limit + 1));
  StreamPage page;
  for (const streams::Stream& stream : found) {
    if (page.streams.size() == limit) {
      page.last_arn = page.streams.back().arn;
      break;
    }
    page.streams.push_back(name_of(stream));
  }
  return page;
}

Result<StreamDescription> Engine::describe_stream(const DescribeStreamRequest& request) const {
  DOLMEN_TRY(const std::size_t limit, limit_of(request.limit, kPageMax));
  DOLMEN_TRY(const streams::Stream stream, find_stream(request.arn));
  StreamDescription description{.name = name_of(stream),
                                .status = stream.ended ? StreamStatus::kDisabled : StreamStatus::kEnabled,
                                .view = stream.view,
                                .created = stream.created};
  for (const auto* attributes : {&stream.keys.partition, &stream.keys.sort})
    for (const KeyAttribute& attribute : *attributes) description.key_names.push_back(attribute.name);
  // No shard continues another one.
  if (request.children_of) return description;
  for (std::uint8_t shard = 0; shard < stream.shards; ++shard) {
    DOLMEN_TRY(StreamShard described, shard_in(*storage_, stream, shard));
    if (request.after_shard && described.id <= *request.after_shard) continue;
    if (description.shards.size() == limit) {
      description.last_shard = description.shards.back().id;
      break;
    }
    description.shards.push_back(std::move(described));
  }
  return description;
}

Result<ShardIterator> Engine::shard_iterator(const GetShardIteratorRequest& request) const {
  DOLMEN_TRY_VOID(check_number_given(request));
  DOLMEN_TRY_VOID(check_time_given(request));
  DOLMEN_TRY(const streams::Stream stream, find_stream(request.arn));
  const std::optional<std::uint8_t> shard = streams::shard_of(stream, request.shard);
  if (!shard) return no_shard();
  DOLMEN_TRY(const std::uint64_t next, place_of(*storage_, stream, *shard, request));
  return ShardIterator{streams::iterator_text({.arn = request.arn, .shard = *shard, .next = next, .issued = now()})};
}

Result<GetRecordsResponse> Engine::read_records(const GetRecordsRequest& request) const {
  DOLMEN_TRY(const std::size_t limit, limit_of(request.limit, kRecordsMax));
  DOLMEN_TRY(streams::Place place, streams::parse_iterator(request.iterator));
  if (place.issued + kIteratorLife < now()) return fail(Code::kIteratorExpired, "Shard iterator has expired");
  DOLMEN_TRY(const streams::Stream stream, find_stream(place.arn));
  Result<streams::Records> read =
      streams::read(*storage_, stream, {.shard = place.shard, .next = place.next, .limit = limit});
  if (!read && storage::is_key_missing(read.error())) return missing_key();
  if (!read) return std::unexpected(std::move(read).error());
  streams::Records page = *std::move(read);
  for (StreamChange& record : page.records) record.region = options_.region;
  GetRecordsResponse response{.records = std::move(page.records)};
  if (stream.ended && page.at_end) return response;
  place.next = page.next;
  place.issued = now();
  response.next = streams::iterator_text(place);
  return response;
}

}  // namespace dolmen::engine
