// The requests and responses of ListStreams, DescribeStream, GetShardIterator and GetRecords.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "protocol/object_writer.h"
#include "remote/json_fields.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"

namespace dolmen::remote {
namespace {

void append_optional(ObjectWriter& object, std::string_view name, const std::optional<std::string>& value) {
  if (value) object.text(name, *value);
}

void append_limit(ObjectWriter& object, std::optional<int> limit) {
  if (limit) object.number("Limit", *limit);
}

/// Seconds since 1970, with or without a fraction.
Result<TableTime> read_seconds(const Fields& fields, std::string_view name) {
  constexpr double kLatestSeconds = 1e12;
  DOLMEN_TRY(const auto seconds, fields.optional<double>(name));
  return TableTime(
      std::chrono::milliseconds(std::llround(std::clamp(seconds.value_or(0), 0.0, kLatestSeconds) * 1000)));
}

Result<StreamView> read_view(const Fields& fields) {
  DOLMEN_TRY(const auto name, fields.required<std::string_view>("StreamViewType"));
  const std::optional<StreamView> view = stream_view_of(name);
  if (!view) return unexpected_response("StreamViewType");
  return *view;
}

Result<StreamStatus> read_stream_status(const Fields& fields) {
  DOLMEN_TRY(const auto name, fields.required<std::string_view>("StreamStatus"));
  for (const StreamStatus status :
       {StreamStatus::kEnabling, StreamStatus::kEnabled, StreamStatus::kDisabling, StreamStatus::kDisabled})
    if (stream_status_name(status) == name) return status;
  return unexpected_response("StreamStatus");
}

Result<StreamName> read_name(const Fields& fields) {
  DOLMEN_TRY(const auto arn, fields.required<std::string_view>("StreamArn"));
  DOLMEN_TRY(const auto table, fields.required<std::string_view>("TableName"));
  DOLMEN_TRY(const auto label, fields.required<std::string_view>("StreamLabel"));
  return StreamName{.arn = std::string(arn), .table = std::string(table), .label = std::string(label)};
}

Result<std::optional<std::string>> read_text(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const auto text, fields.optional<std::string_view>(name));
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

Result<StreamShard> read_shard(const Fields& fields) {
  StreamShard shard;
  DOLMEN_TRY(shard.id, fields.required<std::string_view>("ShardId"));
  DOLMEN_TRY(shard.parent, read_text(fields, "ParentShardId"));
  DOLMEN_TRY(const auto range, fields.optional<json::Object>("SequenceNumberRange"));
  if (!range) return shard;
  DOLMEN_TRY(const auto first, read_text(Fields(*range), "StartingSequenceNumber"));
  shard.first_number = first.value_or("");
  DOLMEN_TRY(shard.last_number, read_text(Fields(*range), "EndingSequenceNumber"));
  return shard;
}

/// Calls `read(fields)` for each object of a list and collects the results.
template <class T, class Read>
Result<std::vector<T>> read_list(const Fields& fields, std::string_view name, Read read) {
  DOLMEN_TRY(const json::Array list, fields.required<json::Array>(name));
  std::vector<T> elements;
  for (const json::Element element : list) {
    DOLMEN_TRY(const Fields one, Fields::of(element));
    DOLMEN_TRY(T read_element, read(one));
    elements.push_back(std::move(read_element));
  }
  return elements;
}

Result<std::string> read_key_name(const Fields& fields) {
  DOLMEN_TRY(const auto name, fields.required<std::string_view>("AttributeName"));
  return std::string(name);
}

/// Only time to live names a service as the author of a change.
Result<bool> is_by_service(const Fields& fields) {
  DOLMEN_TRY(const auto identity, fields.optional<json::Object>("userIdentity"));
  if (!identity) return false;
  DOLMEN_TRY(const auto type, Fields(*identity).optional<std::string_view>("Type"));
  DOLMEN_TRY(const auto principal, Fields(*identity).optional<std::string_view>("PrincipalId"));
  return type == "Service" && principal == "dynamodb.amazonaws.com";
}

Result<StreamChange> read_change(const Fields& fields) {
  StreamChange change;
  DOLMEN_TRY(change.event_id, fields.required<std::string_view>("eventID"));
  DOLMEN_TRY(const auto event, fields.required<std::string_view>("eventName"));
  const std::optional<StreamEvent> known = stream_event_of(event);
  if (!known) return unexpected_response("eventName");
  change.event = *known;
  DOLMEN_TRY(const auto region, read_text(fields, "awsRegion"));
  change.region = region.value_or("");
  DOLMEN_TRY(change.expired, is_by_service(fields));
  DOLMEN_TRY(const auto inner, fields.required<json::Object>("dynamodb"));
  const Fields record(inner);
  DOLMEN_TRY(change.created, read_seconds(record, "ApproximateCreationDateTime"));
  DOLMEN_TRY(change.sequence_number, record.required<std::string_view>("SequenceNumber"));
  DOLMEN_TRY(change.view, read_view(record));
  DOLMEN_TRY(const auto size, record.optional<std::int64_t>("SizeBytes"));
  change.size_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(size.value_or(0), 0));
  DOLMEN_TRY(std::optional<EncodedItem> key, record.item("Keys"));
  if (!key) return unexpected_response("Keys");
  change.key = *std::move(key);
  DOLMEN_TRY(change.old_image, record.item("OldImage"));
  DOLMEN_TRY(change.new_image, record.item("NewImage"));
  return change;
}

}  // namespace

Result<std::string> request_body(const ListStreamsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    append_optional(object, "TableName", request.of_table);
    append_optional(object, "ExclusiveStartStreamArn", request.after);
    append_limit(object, request.limit);
  });
}

Result<std::string> request_body(const DescribeStreamRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("StreamArn", request.arn);
    append_optional(object, "ExclusiveStartShardId", request.after_shard);
    append_limit(object, request.limit);
    if (!request.children_of) return;
    ObjectWriter filter(object.member("ShardFilter"));
    filter.text("Type", "CHILD_SHARDS").text("ShardId", *request.children_of);
    filter.end();
  });
}

Result<std::string> request_body(const GetShardIteratorRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("StreamArn", request.arn)
        .text("ShardId", request.shard)
        .text("ShardIteratorType", shard_iterator_type_name(request.type));
    append_optional(object, "SequenceNumber", request.sequence_number);
    if (request.timestamp) {
      const std::int64_t time = request.timestamp->time_since_epoch().count();
      object.json("Timestamp", fmt::format("{}.{:03}", time / 1000, time % 1000));
    }
  });
}

Result<std::string> request_body(const GetRecordsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("ShardIterator", request.iterator);
    append_limit(object, request.limit);
  });
}

Result<StreamPage> read_response(ListStreams /*operation*/, std::string_view body,
                                 const ListStreamsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  StreamPage page;
  DOLMEN_TRY(page.streams, read_list<StreamName>(fields, "Streams", read_name));
  DOLMEN_TRY(page.last_arn, read_text(fields, "LastEvaluatedStreamArn"));
  return page;
}

Result<StreamDescription> read_response(DescribeStream /*operation*/, std::string_view body,
                                        const DescribeStreamRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object object, fields.required<json::Object>("StreamDescription"));
  const Fields stream(object);
  StreamDescription description;
  DOLMEN_TRY(description.name, read_name(stream));
  DOLMEN_TRY(description.status, read_stream_status(stream));
  DOLMEN_TRY(description.view, read_view(stream));
  DOLMEN_TRY(description.created, read_seconds(stream, "CreationRequestDateTime"));
  DOLMEN_TRY(description.key_names, read_list<std::string>(stream, "KeySchema", read_key_name));
  DOLMEN_TRY(description.shards, read_list<StreamShard>(stream, "Shards", read_shard));
  DOLMEN_TRY(description.last_shard, read_text(stream, "LastEvaluatedShardId"));
  return description;
}

Result<ShardIterator> read_response(GetShardIterator /*operation*/, std::string_view body,
                                    const GetShardIteratorRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const auto text, fields.required<std::string_view>("ShardIterator"));
  return ShardIterator{std::string(text)};
}

Result<GetRecordsResponse> read_response(GetRecords /*operation*/, std::string_view body,
                                         const GetRecordsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  GetRecordsResponse response;
  DOLMEN_TRY(response.records, read_list<StreamChange>(fields, "Records", read_change));
  DOLMEN_TRY(response.next, read_text(fields, "NextShardIterator"));
  return response;
}

}  // namespace dolmen::remote
