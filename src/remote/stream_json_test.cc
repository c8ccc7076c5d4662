// Responses of DynamoDB Streams as AWS sends them.
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"

namespace dolmen::remote {
namespace {

constexpr std::string_view kRecord = R"({"eventID":"4b25bd0da9a181a155114127e4837252","eventName":"REMOVE",
  "eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"eu-west-1",
  "dynamodb":{"ApproximateCreationDateTime":1.763288430E9,"Keys":{"id":{"S":"a"}},"OldImage":{"id":{"S":"a"},"n":{"N":"1"}},
    "SequenceNumber":"300000000000000499659","SizeBytes":41,"StreamViewType":"OLD_IMAGE"},
  "userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}})";

Result<GetRecordsResponse> read_records(const std::string& body) { return read_response(GetRecords{}, body, {}); }

TEST(StreamJson, of_records_is_read_whole) {
  const auto page = read_records(R"({"Records":[)" + std::string(kRecord) + R"(],"NextShardIterator":"next"})").value();
  ASSERT_EQ(page.records.size(), 1U);
  const StreamChange& record = page.records[0];
  EXPECT_EQ(record.event_id, "4b25bd0da9a181a155114127e4837252");
  EXPECT_EQ(record.event, StreamEvent::kRemove);
  EXPECT_EQ(record.region, "eu-west-1");
  EXPECT_EQ(record.created.time_since_epoch().count(), 1'763'288'430'000);
  EXPECT_EQ(record.sequence_number, "300000000000000499659");
  EXPECT_EQ(record.view, StreamView::kOldImage);
  EXPECT_EQ(record.size_bytes, 41U);
  EXPECT_TRUE(record.expired);
  EXPECT_EQ(record.key, encode_item({{"id", "a"}}));
  EXPECT_EQ(record.old_image, encode_item({{"id", "a"}, {"n", 1}}));
  EXPECT_EQ(record.new_image, std::nullopt);
  EXPECT_EQ(page.next, "next");
  EXPECT_EQ(read_records(R"({"Records":[]})").value().next, std::nullopt);
}

TEST(StreamJson, names_only_time_to_live_as_a_service) {
  std::string record(kRecord);
  const std::size_t at = record.find(R"("Type":"Service")");
  record.replace(at, 16, R"("Type":"Another")");
  EXPECT_FALSE(read_records(R"({"Records":[)" + record + "]}").value().records[0].expired);
}

TEST(StreamJson, that_lacks_something_is_refused) {
  for (const char* body : {"", "[]", "{}", R"({"Records":{}})", R"({"Records":[{}]})", R"({"Records":[1]})"})
    EXPECT_THAT(read_records(body), fails_with(Code::kUnexpectedResponse)) << body;
  for (const char* part :
       {"eventID", "eventName", "dynamodb\":", "Keys", "SequenceNumber", "StreamViewType", "REMOVE", "OLD_IMAGE"}) {
    std::string record(kRecord);
    record.insert(record.find(part), "x");
    EXPECT_THAT(read_records(R"({"Records":[)" + record + "]}"), fails_with(Code::kUnexpectedResponse)) << part;
  }
  EXPECT_THAT(read_response(ListStreams{}, "{}", {}), fails_with(Code::kUnexpectedResponse));
  EXPECT_THAT(read_response(GetShardIterator{}, "{}", {}), fails_with(Code::kUnexpectedResponse));
  EXPECT_THAT(read_response(DescribeStream{}, R"({"StreamDescription":{}})", {}),
              fails_with(Code::kUnexpectedResponse));
}

TEST(StreamJson, of_a_description_has_parents_and_ends) {
  const auto stream = read_response(DescribeStream{}, R"({"StreamDescription":{"StreamArn":"arn:x","TableName":"t",
    "StreamLabel":"l","StreamStatus":"DISABLING","StreamViewType":"KEYS_ONLY","CreationRequestDateTime":1.5,
    "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
    "Shards":[{"ShardId":"a","SequenceNumberRange":{"StartingSequenceNumber":"1","EndingSequenceNumber":"2"}},
              {"ShardId":"b","ParentShardId":"a","SequenceNumberRange":{"StartingSequenceNumber":"3"}}],
    "LastEvaluatedShardId":"b"}})",
                                    {})
                          .value();
  EXPECT_EQ(stream.status, StreamStatus::kDisabling);
  EXPECT_EQ(stream.created.time_since_epoch().count(), 1500);
  EXPECT_EQ(stream.key_names, std::vector<std::string>{"id"});
  ASSERT_EQ(stream.shards.size(), 2U);
  EXPECT_EQ(stream.shards[0].last_number, "2");
  EXPECT_EQ(stream.shards[1].parent, "a");
  EXPECT_EQ(stream.shards[1].last_number, std::nullopt);
  EXPECT_EQ(stream.last_shard, "b");
}

TEST(StreamJson, of_requests_has_only_what_is_given) {
  EXPECT_EQ(request_body(ListStreamsRequest{}).value(), "{}");
  EXPECT_EQ(request_body(ListStreamsRequest{.of_table = "t", .after = "arn", .limit = 3}).value(),
            R"({"TableName":"t","ExclusiveStartStreamArn":"arn","Limit":3})");
  EXPECT_EQ(
      request_body(DescribeStreamRequest{.arn = "arn", .after_shard = "a", .limit = 2, .children_of = "b"}).value(),
      R"({"StreamArn":"arn","ExclusiveStartShardId":"a","Limit":2,"ShardFilter":{"Type":"CHILD_SHARDS","ShardId":"b"}})");
  EXPECT_EQ(
      request_body(
          GetShardIteratorRequest{
              .arn = "arn", .shard = "a", .type = ShardIteratorType::kAfterSequenceNumber, .sequence_number = "7"})
          .value(),
      R"({"StreamArn":"arn","ShardId":"a","ShardIteratorType":"AFTER_SEQUENCE_NUMBER","SequenceNumber":"7"})");
  EXPECT_EQ(request_body(GetRecordsRequest{.iterator = "i", .limit = 5}).value(), R"({"ShardIterator":"i","Limit":5})");
}

}  // namespace
}  // namespace dolmen::remote
