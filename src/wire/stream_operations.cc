// ListStreams, DescribeStream, GetShardIterator, GetRecords.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "value/json.h"
#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

std::optional<int> read_limit(const Parameters& parameters) {
  const std::optional<std::int64_t> limit = parameters.integer("Limit");
  return limit ? std::optional(static_cast<int>(*limit)) : std::nullopt;
}

void append_name(ObjectWriter& object, const StreamName& name) {
  object.text("StreamArn", name.arn).text("TableName", name.table).text("StreamLabel", name.label);
}

Result<void> list_streams(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ListStreamsRequest request{.of_table = parameters.string("TableName"),
                             .after = parameters.string("ExclusiveStartStreamArn"),
                             .limit = read_limit(parameters)};
  const auto encode = [](const StreamPage& page) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      object.objects("Streams", page.streams, append_name);
      if (page.last_arn) object.text("LastEvaluatedStreamArn", *page.last_arn);
    });
  };
  backend.service.start(ListStreams{}, std::move(request), encoded<StreamPage>(encode, std::move(done)));
  return {};
}

void append_shard(ObjectWriter& object, const StreamShard& shard) {
  object.text("ShardId", shard.id);
  ObjectWriter range(object.member("SequenceNumberRange"));
  range.text("StartingSequenceNumber", shard.first_number);
  if (shard.last_number) range.text("EndingSequenceNumber", *shard.last_number);
  range.end();
  if (shard.parent) object.text("ParentShardId", *shard.parent);
}

std::string description_body(const StreamDescription& stream) {
  return object_text([&](ObjectWriter& body) {
    ObjectWriter object(body.member("StreamDescription"));
    append_name(object, stream.name);
    const auto created = stream.created.time_since_epoch().count();
    object.text("StreamStatus", stream_status_name(stream.status))
        .text("StreamViewType", stream_view_name(stream.view))
        .json("CreationRequestDateTime", fmt::format("{}.{:03}", created / 1000, created % 1000));
    std::string_view kind = "HASH";
    object.objects("KeySchema", stream.key_names, [&](ObjectWriter& key, const std::string& name) {
      key.text("AttributeName", name).text("KeyType", std::exchange(kind, "RANGE"));
    });
    object.objects("Shards", stream.shards, append_shard);
    if (stream.last_shard) object.text("LastEvaluatedShardId", *stream.last_shard);
    object.end();
  });
}

Result<void> describe_stream(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DescribeStreamRequest request{.arn = parameters.required_string("StreamArn"),
                                .after_shard = parameters.string("ExclusiveStartShardId"),
                                .limit = read_limit(parameters)};
  // CHILD_SHARDS is the only type of a filter.
  if (const auto filter = parameters.structure("ShardFilter")) request.children_of = filter->string("ShardId");
  const auto encode = [](const StreamDescription& stream) -> Result<std::string> { return description_body(stream); };
  backend.service.start(DescribeStream{}, std::move(request), encoded<StreamDescription>(encode, std::move(done)));
  return {};
}

ShardIteratorType read_iterator_type(const Parameters& parameters) {
  const std::string name = parameters.required_string("ShardIteratorType");
  for (const ShardIteratorType type : {ShardIteratorType::kTrimHorizon, ShardIteratorType::kLatest,
                                       ShardIteratorType::kAtSequenceNumber, ShardIteratorType::kAtTimestamp})
    if (shard_iterator_type_name(type) == name) return type;
  return ShardIteratorType::kAfterSequenceNumber;
}

Result<void> get_shard_iterator(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  GetShardIteratorRequest request{.arn = parameters.required_string("StreamArn"),
                                  .shard = parameters.required_string("ShardId"),
                                  .type = read_iterator_type(parameters),
                                  .sequence_number = parameters.string("SequenceNumber")};
  if (const auto timestamp = parameters.find("Timestamp")) {
    constexpr double kLatestSeconds = 1e12;
    const double seconds = timestamp->get_double().value_unsafe();
    request.timestamp =
        TableTime(std::chrono::milliseconds(std::llround(std::clamp(seconds, 0.0, kLatestSeconds) * 1000)));
  }
  const auto encode = [](const ShardIterator& iterator) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) { object.text("ShardIterator", iterator.text); });
  };
  backend.service.start(GetShardIterator{}, std::move(request), encoded<ShardIterator>(encode, std::move(done)));
  return {};
}

Result<void> append_change(std::string& out, const StreamChange& change) {
  ObjectWriter object(out);
  object.text("eventID", change.event_id)
      .text("eventName", stream_event_name(change.event))
      .text("eventVersion", "1.1")
      .text("eventSource", "aws:dynamodb")
      .text("awsRegion", change.region);
  ObjectWriter inner(object.member("dynamodb"));
  inner.number("ApproximateCreationDateTime",
               std::chrono::floor<std::chrono::seconds>(change.created).time_since_epoch().count());
  DOLMEN_TRY_VOID(json::append_item(inner.member("Keys"), change.key.bytes));
  DOLMEN_TRY_VOID(append_item_member(inner, "NewImage", change.new_image));
  DOLMEN_TRY_VOID(append_item_member(inner, "OldImage", change.old_image));
  inner.text("SequenceNumber", change.sequence_number)
      .number("SizeBytes", change.size_bytes)
      .text("StreamViewType", stream_view_name(change.view));
  inner.end();
  if (change.expired) object.json("userIdentity", R"({"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"})");
  object.end();
  return {};
}

Result<std::string> records_body(const GetRecordsResponse& response) {
  std::string body;
  ObjectWriter object(body);
  std::string& records = object.member("Records");
  Result<void> appended;
  append_array(records, response.records, [&](const StreamChange& change) {
    if (appended) appended = append_change(records, change);
  });
  DOLMEN_TRY_VOID(appended);
  if (response.next) object.text("NextShardIterator", *response.next);
  object.end();
  return body;
}

Result<void> get_records(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  GetRecordsRequest request{.iterator = parameters.required_string("ShardIterator"),
                            .limit = read_limit(parameters),
                            .elsewhere = backend.elsewhere};
  backend.service.start(GetRecords{}, std::move(request), encoded<GetRecordsResponse>(records_body, std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> stream_operations() {
  static const WireOperation kAll[] = {
      {ListStreams::kInfo, list_streams},
      {DescribeStream::kInfo, describe_stream},
      {GetShardIterator::kInfo, get_shard_iterator},
      {GetRecords::kInfo, get_records},
  };
  return kAll;
}

}  // namespace dolmen::wire
