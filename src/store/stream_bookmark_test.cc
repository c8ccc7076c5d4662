#include "store/stream_bookmark.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen {
namespace {

TEST(StreamBookmark, is_read_back_as_it_was_written) {
  using Kind = ShardPlace::Kind;
  const StreamBookmark bookmark{
      .arn = "arn:aws:dynamodb:us-east-1:1:table/orders/stream/2026-11-16T10:20:30.123",
      .places = {{.shard = "shard-1"},
                 {.shard = "shard-2", .kind = Kind::kSince, .since_s = 1'763'280'000},
                 {.shard = "shard-3", .kind = Kind::kAfter, .number = "100000000000000000007"},
                 {.shard = "shard-4", .kind = Kind::kEnd}}};
  EXPECT_EQ(parse_bookmark(bookmark_text(bookmark)).value(), bookmark);
  const StreamBookmark empty{.arn = "arn:x"};
  EXPECT_EQ(parse_bookmark(bookmark_text(empty)).value(), empty);
}

TEST(StreamBookmark, must_have_its_form) {
  for (const char* text :
       {"", "1", "1|", "2|arn:x", "1|x", "1|arn:x|", "1|arn:x|shard", "1|arn:x|shard=", "1|arn:x|=o", "1|arn:x|shard=x",
        "1|arn:x|shard=ox", "1|arn:x|shard=e1", "1|arn:x|shard=a", "1|arn:x|shard=a1b", "1|arn:x|shard=s",
        "1|arn:x|shard=s99999999999999999999", "1|arn:x|shard=s-1", "1|arn:x||shard=o", "1|arn:x|shard=o|shard=o"})
    EXPECT_THAT(parse_bookmark(text), fails_with(Code::kInvalidArgument)) << text;
}

}  // namespace
}  // namespace dolmen
