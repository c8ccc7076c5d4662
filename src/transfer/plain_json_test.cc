#include "transfer/plain_json.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::transfer {
namespace {

std::string refusal_of(const std::string& text) {
  const Result<Item> item = parse_plain_item(text);
  return item ? "accepted: " + plain_text(*item) : item.error().message();
}

TEST(PlainJson, writes_what_it_reads_with_every_digit) {
  for (const std::string text : {R"({})", R"({"a":"x","b":[1,[],{}],"c":{"d":null,"e":true,"f":false}})",
                                 R"({"n":12345678901234567890123456789012345678,"q":"\"\\\n\u0001é"})", R"({"":0.1})"})
    EXPECT_EQ(refusal_of(text), "accepted: " + text);
}

TEST(PlainJson, writes_sets_as_lists_and_bytes_as_base64) {
  const Item item{
      {"b", Bytes("\x01\x02")}, {"bs", BinarySet{Bytes("a")}}, {"ns", NumberSet{2, 1}}, {"ss", StringSet{"x"}}};
  EXPECT_EQ(plain_text(item), R"({"b":"AQI=","bs":["YQ=="],"ns":[1,2],"ss":["x"]})");
}

TEST(PlainJson, says_what_is_wrong_and_where) {
  EXPECT_EQ(refusal_of("[1]"), "column 1: a JSON object is expected here");
  EXPECT_EQ(refusal_of(R"({"a":1,"a":2})"), "column 11: \"a\" stands there twice");
  EXPECT_EQ(refusal_of(R"({"a":1 "b":2})"), "column 8: a comma or } is expected here");
  EXPECT_EQ(refusal_of(R"({"a":1}x)"), "column 8: text follows the value; remove it");
  EXPECT_EQ(refusal_of(R"({"a":1e999})").substr(0, 10), "column 11:");
  EXPECT_EQ(refusal_of("{\"a\":\"\xff\"}"), "the text is not UTF-8");
  std::string deep = "0";
  for (int i = 0; i < 40; ++i) deep = "{\"a\":" + deep + "}";
  EXPECT_EQ(refusal_of(deep), "column 162: there are more than 32 levels");
}

TEST(PlainJson, restores_binary_keys_and_nothing_else) {
  const TableDefinition table{.name = "t",
                              .partition_key = {"k", KeyType::kBinary},
                              .global_indexes = {{.name = "i", .partition_keys = {{"g", KeyType::kBinary}}}}};
  Item item{{"k", "AQI="}, {"g", "YQ=="}, {"other", "YQ=="}};
  ASSERT_TRUE(restore_binary_keys(item, table));
  EXPECT_EQ(item, (Item{{"k", Bytes("\x01\x02")}, {"g", Bytes("a")}, {"other", "YQ=="}}));
  Item bad{{"k", "?"}};
  EXPECT_THAT(restore_binary_keys(bad, table), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen::transfer
