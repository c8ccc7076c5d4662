#include "engine/row_key.h"

#include <gtest/gtest.h>
#include <optional>

#include "base/test_result.h"
#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

Table table_of(TableDefinition definition) {
  Table table = make_table(std::move(definition), 8);
  table.id = 7;
  return table;
}

const Table kTopics = table_of(
    {.name = "topics", .partition_key = {"topic", KeyType::kString}, .sort_key = KeyAttribute{"at", KeyType::kNumber}});
const Table kBlobs = table_of({.name = "blobs", .partition_key = {"id", KeyType::kBinary}});

std::string key_of(const Table& table, const Item& key) {
  return row_key_of_key(table, encode_item(key).bytes).value();
}

std::string key_error(const Table& table, const Item& key) {
  return row_key_of_key(table, encode_item(key).bytes).error().message();
}

std::string item_error(const Table& table, const Item& item) {
  return row_key_of_item(table, encode_item(item).bytes).error().message();
}

TEST(RowKey, is_the_same_for_an_item_and_for_its_key) {
  const Item key{{"topic", "a"}, {"at", 5}};
  Item item = key;
  item.set("text", "more");
  EXPECT_EQ(row_key_of_item(kTopics, encode_item(item).bytes).value(), key_of(kTopics, key));
}

TEST(RowKey, keeps_a_partition_together_and_in_order) {
  const std::string first = key_of(kTopics, {{"topic", "a"}, {"at", -1}});
  const std::string second = key_of(kTopics, {{"topic", "a"}, {"at", 2}});
  const std::string third = key_of(kTopics, {{"topic", "a"}, {"at", 10}});
  const std::string other = key_of(kTopics, {{"topic", "b"}, {"at", 5}});
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_TRUE(other < first || other > third);
}

TEST(RowKey, lies_in_the_range_of_its_table) {
  const std::string key = key_of(kBlobs, {{"id", Bytes("\xFF\xFF")}});
  EXPECT_GT(key, first_key_of(7));
  EXPECT_LT(key, first_key_of(8));
}

TEST(RowKey, refuses_items_without_a_proper_key) {
  const std::string invalid = "One or more parameter values were invalid: ";
  EXPECT_EQ(item_error(kTopics, {{"at", 1}}), invalid + "Missing the key topic in the item");
  EXPECT_EQ(item_error(kTopics, {{"topic", "a"}}), invalid + "Missing the key at in the item");
  EXPECT_EQ(item_error(kTopics, {{"topic", 1}, {"at", 1}}),
            invalid + "Type mismatch for key topic expected: S actual: N");
  EXPECT_EQ(item_error(kTopics, {{"topic", "a"}, {"at", List{}}}),
            invalid + "Type mismatch for key at expected: N actual: L");
}

TEST(RowKey, refuses_keys_that_do_not_match_the_table) {
  const std::string no_match = "The provided key element does not match the schema";
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}}), no_match);
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}, {"at", "1"}}), no_match);
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}, {"at", 1}, {"more", 1}}), no_match);
  EXPECT_EQ(key_error(kTopics, {{"topic", "a"}, {"other", 1}}), no_match);
  EXPECT_EQ(key_error(kBlobs, {}), no_match);
}

TEST(RowKey, refuses_empty_and_over_long_values) {
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an ";
  EXPECT_EQ(key_error(kTopics, {{"topic", ""}, {"at", 1}}), empty + "empty string value. Key: topic");
  EXPECT_EQ(key_error(kBlobs, {{"id", Bytes()}}), empty + "empty binary value. Key: id");
  EXPECT_NO_FATAL_FAILURE(key_of(kBlobs, {{"id", Bytes(std::string(2048, '\0'))}}));
  EXPECT_EQ(
      key_error(kBlobs, {{"id", Bytes(std::string(2049, 'x'))}}),
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes");
  const Table text = table_of({.name = "text", .partition_key = {"p"}, .sort_key = KeyAttribute{"s"}});
  EXPECT_NO_FATAL_FAILURE(key_of(text, {{"p", "x"}, {"s", std::string(1024, 'x')}}));
  EXPECT_EQ(key_error(text, {{"p", "x"}, {"s", std::string(1025, 'x')}}),
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit "
            "of 1024 "
            "bytes");
}

const Table kIndexed = table_of({.name = "indexed",
                                 .partition_key = {"p"},
                                 .global_indexes = {{.name = "wide",
                                                     .partition_keys = {{"a"}, {"b", KeyType::kNumber}},
                                                     .sort_keys = {{"c"}, {"d", KeyType::kNumber}},
                                                     .projection = ProjectionType::kKeysOnly}}});

std::optional<std::string> index_row(const Item& item) {
  const std::string bytes = encode_item(item).bytes;
  return row_key_in_index(kIndexed.indexes[0], bytes, row_key_of_item(kIndexed, bytes).value());
}

TEST(RowKey, leaves_items_out_of_an_index_whose_attributes_they_lack) {
  EXPECT_TRUE(index_row({{"p", "x"}, {"a", "1"}, {"b", 2}, {"c", "3"}, {"d", 4}}).has_value());
  EXPECT_EQ(index_row({{"p", "x"}, {"a", "1"}, {"b", 2}, {"c", "3"}}), std::nullopt);
  EXPECT_EQ(index_row({{"p", "x"}}), std::nullopt);
}

TEST(RowKey, sorts_rows_of_an_index_by_all_its_sort_attributes_and_then_by_item) {
  const auto row = [](const char* p, const char* c, int d) {
    return *index_row({{"p", p}, {"a", "1"}, {"b", 2}, {"c", c}, {"d", d}});
  };
  EXPECT_LT(row("z", "a", 9), row("a", "b", 1));
  EXPECT_LT(row("z", "a", 2), row("a", "a", 10));
  EXPECT_NE(row("x", "a", 1), row("y", "a", 1));
}

TEST(RowKey, refuses_index_keys_of_the_wrong_type_or_empty) {
  const auto error = [](const Item& item) {
    return check_index_keys(kIndexed, encode_item(item).bytes).error().message();
  };
  EXPECT_EQ(
      error({{"p", "x"}, {"a", 1}}),
      "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S Actual: N IndexName: wide");
  EXPECT_EQ(
      error({{"p", "x"}, {"a", ""}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The "
      "AttributeValue for a key attribute cannot contain an empty string value. IndexName: wide, IndexKey: a");
  EXPECT_THAT(check_index_keys(kIndexed, encode_item({{"p", "x"}}).bytes), succeeds());
}

TEST(RowKey, names_the_first_by_name_of_the_indexes_that_have_a_wrong_key) {
  const Table table = table_of({.name = "indexed",
                                .partition_key = {"p"},
                                .sort_key = KeyAttribute{"s"},
                                .local_indexes = {{.name = "lsi1", .partition_keys = {{"p"}}, .sort_keys = {{"k"}}}},
                                .global_indexes = {{.name = "gsi2", .partition_keys = {{"k"}}},
                                                   {.name = "gsi1", .partition_keys = {{"g"}}, .sort_keys = {{"k"}}},
                                                   {.name = "another", .partition_keys = {{"g"}}}}});
  const auto error = [&](const Item& item) {
    return check_index_keys(table, encode_item(item).bytes).error().message();
  };
  EXPECT_EQ(
      error({{"p", "x"}, {"s", "x"}, {"k", 1}}),
      "One or more parameter values were invalid: Type mismatch for Index Key k Expected: S Actual: N IndexName: gsi1");
  EXPECT_EQ(
      error({{"p", "x"}, {"s", "x"}, {"k", ""}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The "
      "AttributeValue for a key attribute cannot contain an empty string value. IndexName: gsi1, IndexKey: k");
}

}  // namespace
}  // namespace dolmen::engine
