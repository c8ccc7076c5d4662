#include "engine/stream_position.h"

#include <chrono>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "base/base64.h"
#include "base/test_result.h"

namespace dolmen::engine::streams {
namespace {

constexpr const char* kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2026-11-16T10:20:30.123";

Stream some_stream() {
  return {.id = 77, .table = "orders", .created = TableTime(std::chrono::milliseconds(1'763'288'430'123))};
}

TEST(SequenceNumber, has_21_digits_and_sorts_as_the_number) {
  EXPECT_EQ(sequence_number(0), "100000000000000000000");
  EXPECT_EQ(sequence_number(42), "100000000000000000042");
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(sequence_number(largest).size(), 21U);
  EXPECT_LT(sequence_number(99), sequence_number(100));
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{7}, largest})
    EXPECT_EQ(number_of(sequence_number(number)), number);
}

TEST(SequenceNumber, refuses_what_it_does_not_write) {
  for (const char* text : {"", "1", "200000000000000000042", "10000000000000000004x", "1000000000000000000042",
                           "199999999999999999999", "1-0000000000000000042", "1+0000000000000000042"})
    EXPECT_EQ(number_of(text), std::nullopt) << text;
}

TEST(ShardId, ascends_with_the_shard_and_is_unique_to_the_stream) {
  const Stream stream = some_stream();
  std::string before;
  for (std::uint8_t shard = 0; shard < kStreamShardsMax; ++shard) {
    const std::string id = shard_id(stream, shard);
    EXPECT_EQ(id.size(), 37U);
    EXPECT_TRUE(id.starts_with("shardId-00000001763288430123-")) << id;
    EXPECT_LT(before, id);
    EXPECT_EQ(shard_of(stream, id), shard);
    before = id;
  }
  Stream other = some_stream();
  other.id = 78;
  EXPECT_EQ(shard_of(other, shard_id(stream, 0)), std::nullopt);
  EXPECT_EQ(shard_of(stream, ""), std::nullopt);
}

TEST(StreamArn, is_taken_apart) {
  const ArnParts parts = parse_arn(kArn).value();
  EXPECT_EQ(parts.table_arn, "arn:aws:dynamodb:us-east-1:000000000000:table/orders");
  EXPECT_EQ(parts.table, "orders");
  EXPECT_EQ(parts.label, "2026-11-16T10:20:30.123");
}

TEST(StreamArn, must_have_its_form) {
  for (const char* text :
       {"", "orders", "arn:aws:dynamodb:us-east-1:000000000000:table/orders",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/", "arn:aws:dynamodb:us-east-1:table/a/stream/x",
        "arn:aws:dynamodb:us-east-1:000000000000:table//stream/2026-11-16T10:20:30.123",
        "arn:aws:dynamodb:us-east-1:000000000000:table/a/b/stream/2026-11-16T10:20:30.123",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2026-11-16T10:20:30",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2026-11-16T10:20:30.123x",
        "arn:a:b:c:d:e:table/orders/stream/2026-11-16T10:20:30.123", "/stream/:table/arn:"})
    EXPECT_THAT(parse_arn(text), fails_with(Code::kValidation)) << text;
}

TEST(IteratorText, says_everything_that_reading_needs) {
  const Place place{
      .arn = kArn, .shard = 3, .next = 123'456'789, .issued = TableTime(std::chrono::milliseconds(1'763'288'430'999))};
  const std::string text = iterator_text(place);
  EXPECT_TRUE(text.starts_with(std::string(kArn) + "|1|")) << text;
  const Place read = parse_iterator(text).value();
  EXPECT_EQ(read.arn, place.arn);
  EXPECT_EQ(read.shard, place.shard);
  EXPECT_EQ(read.next, place.next);
  EXPECT_EQ(read.issued, place.issued);
}

TEST(IteratorText, must_be_one_that_was_issued) {
  const std::string valid = iterator_text({.arn = kArn, .shard = 1, .next = 5, .issued = TableTime()});
  const auto with = [](std::string_view bytes) { return std::string(kArn) + "|1|" + encode_base64(bytes); };
  const std::vector<std::string> texts{
      "",
      "garbage",
      kArn,
      std::string(kArn) + "|1|",
      std::string(kArn) + "|2|AQUA",
      std::string(kArn) + "|1|%%%%",
      valid + "AAAA",
      "orders|1|AQUA",
      with({"\x04\x05\x00", 3}),                                  // there is no such shard
      with({"\x01\x00\x00", 3}),                                  // no record has the number 0
      with({"\x01\x05", 2}),                                      // the time is missing
      with("\x01\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")};  // the time is beyond all times
  for (const std::string& text : texts) EXPECT_THAT(parse_iterator(text), fails_with(Code::kValidation)) << text;
  EXPECT_TRUE(parse_iterator(valid));
}

}  // namespace
}  // namespace dolmen::engine::streams
