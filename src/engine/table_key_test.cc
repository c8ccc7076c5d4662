#include "engine/table_key.h"

#include <gtest/gtest.h>

#include "value/encoded_item.h"

namespace dolmen {
namespace {

const TableDefinition kTopics{
    .name = "topics", .partition_key = {"topic", KeyType::kString}, .sort_key = KeyAttribute{"at", KeyType::kNumber}};
const TableDefinition kBlobs{.name = "blobs", .partition_key = {"id", KeyType::kBinary}};

std::string key_of(const TableDefinition& table, const Item& key) {
  return storage_key_of_key(7, table, encode_item(key).bytes).value();
}

std::string key_error(const TableDefinition& table, const Item& key) {
  return storage_key_of_key(7, table, encode_item(key).bytes).error().message();
}

std::string item_error(const TableDefinition& table, const Item& item) {
  return storage_key_of_item(7, table, encode_item(item).bytes).error().message();
}

TEST(TableKey, is_the_same_for_an_item_and_for_its_key) {
  const Item key{{"topic", "a"}, {"at", 5}};
  Item item = key;
  item.set("text", "more");
  EXPECT_EQ(storage_key_of_item(7, kTopics, encode_item(item).bytes).value(), key_of(kTopics, key));
}

TEST(TableKey, keeps_a_partition_together_and_in_order) {
  const std::string first = key_of(kTopics, {{"topic", "a"}, {"at", -1}});
  const std::string second = key_of(kTopics, {{"topic", "a"}, {"at", 2}});
  const std::string third = key_of(kTopics, {{"topic", "a"}, {"at", 10}});
  const std::string other = key_of(kTopics, {{"topic", "b"}, {"at", 5}});
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_TRUE(other < first || other > third);
}

TEST(TableKey, lies_in_the_range_of_its_table) {
  const std::string key = key_of(kBlobs, {{"id", Bytes("\xFF\xFF")}});
  EXPECT_GT(key, first_key_of(7));
  EXPECT_LT(key, first_key_of(8));
}

TEST(TableKey, refuses_items_without_a_proper_key) {
  const std::string invalid = "One or more parameter values were invalid: ";
  EXPECT_EQ(item_error(kTopics, {{"at", 1}}), invalid + "Missing the key topic in the item");
  EXPECT_EQ(item_error(kTopics, {{"topic", "a"}}), invalid + "Missing the key at in the item");
  EXPECT_EQ(item_error(kTopics, {{"topic", 1}, {"at", 1}}),
            invalid + "Type mismatch for key topic expected: S actual: N");
  EXPECT_EQ(item_error(kTopics, {{"topic", "a"}, {"at", List{}}}),
            invalid + "Type mismatch for key at expected: N actual: L");
}

TEST(TableKey, refuses_keys_that_do_not_match_the_table) {
  const std::string no_match = "The provided key element does not match the schema";
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}}), no_match);
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}, {"at", "1"}}), no_match);
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}, {"at", 1}, {"more", 1}}), no_match);
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}, {"other", 1}}), no_match);
  EXPECT_EQ(key_error(kBlobs, {}), no_match);
}

TEST(TableKey, refuses_empty_and_over_long_values) {
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an ";
  EXPECT_EQ(key_error(kTopics, {{"topic", ""}, {"at", 1}}), empty + "empty string value. Key: topic");
  EXPECT_EQ(key_error(kBlobs, {{"id", Bytes()}}), empty + "empty binary value. Key: id");
  EXPECT_NO_FATAL_FAILURE(key_of(kBlobs, {{"id", Bytes(std::string(2048, '\0'))}}));
  EXPECT_EQ(
      key_error(kBlobs, {{"id", Bytes(std::string(2049, 'x'))}}),
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes");
  const TableDefinition text{.name = "t", .partition_key = {"p"}, .sort_key = KeyAttribute{"s"}};
  EXPECT_NO_FATAL_FAILURE(key_of(text, {{"p", "x"}, {"s", std::string(1024, 'x')}}));
  EXPECT_EQ(key_error(text, {{"p", "x"}, {"s", std::string(1025, 'x')}}),
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit "
            "of 1024 "
            "bytes");
}

}  // namespace
}  // namespace dolmen
