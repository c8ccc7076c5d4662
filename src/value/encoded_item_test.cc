#include "value/encoded_item.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/test_result.h"
#include "base/test_seed.h"
#include "value/item_rules.h"
#include "value/test_items.h"

namespace dolmen {
namespace {

TEST(EncodedItem, reads_back_any_item) {
  RandomItems items(test_seed("item codec"));
  for (int i = 0; i < 20'000; ++i) {
    const Item item = items.item();
    ASSERT_EQ(decode_item(encode_item(item).bytes).value(), item);
  }
}

TEST(EncodedItem, reads_back_any_single_value_and_no_cut_of_it) {
  RandomItems items(test_seed("value codec"));
  for (int i = 0; i < 1000; ++i)
    for (const auto& [name, value] : items.item()) {
      std::string bytes;
      append_value(bytes, value);
      ASSERT_EQ(decode_value(bytes).value(), value);
      ASSERT_FALSE(decode_value(std::string_view(bytes).substr(0, bytes.size() - 1)).has_value());
      ASSERT_FALSE(decode_value(bytes + '\0').has_value());
    }
}

TEST(EncodedItem, begins_with_its_version) { EXPECT_EQ(encode_item(Item{}).bytes, std::string("\x01\x00", 2)); }

TEST(EncodedItem, is_the_same_for_equal_items) {
  EXPECT_EQ(encode_item({{"a", 1}, {"b", StringSet{"y", "x"}}}), encode_item({{"b", StringSet{"x", "y"}}, {"a", 1}}));
}

TEST(EncodedItem, refuses_every_cut_and_every_other_version) {
  RandomItems items(test_seed("cut items"));
  for (int i = 0; i < 300; ++i) {
    const std::string bytes = encode_item(items.item()).bytes;
    for (std::size_t length = 0; length < bytes.size(); ++length)
      ASSERT_FALSE(decode_item(std::string_view(bytes).substr(0, length)).has_value());
    ASSERT_FALSE(decode_item(bytes + '\0').has_value());
    ASSERT_FALSE(decode_item('\x02' + bytes.substr(1)).has_value());
  }
}

TEST(EncodedItem, reads_damaged_bytes_as_another_item_or_not_at_all) {
  RandomItems items(test_seed("damaged items"));
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = encode_item(items.item()).bytes;
    bytes[items.below(bytes.size())] = static_cast<char>(items.below(256));
    if (const Result<Item> item = decode_item(bytes)) {
      ASSERT_EQ(encode_item(*item).bytes, bytes);
    } else {
      ASSERT_THAT(item, fails_with(Code::kCorruption));
    }
  }
}

TEST(EncodedItem, finds_an_attribute_without_reading_the_others) {
  const EncodedItem item = encode_item({{"a", List{1, 2}}, {"key", "value"}, {"z", nullptr}});
  std::string expected;
  append_value(expected, "value");
  EXPECT_EQ(find_attribute(item.bytes, "key"), expected);
  EXPECT_EQ(find_attribute(item.bytes, "ke"), std::nullopt);
  EXPECT_EQ(find_attribute(item.bytes, "zz"), std::nullopt);
  EXPECT_EQ(find_attribute("", "key"), std::nullopt);
}

/// Of the tree and of its encoding, which agree.
std::size_t size_of(const Item& item) {
  EXPECT_EQ(item_size(item), item_size(encode_item(item).bytes));
  return item_size(item);
}

TEST(ItemSize, is_the_same_for_a_tree_and_for_its_encoding) {
  RandomItems items(test_seed("item sizes"));
  for (int i = 0; i < 20'000; ++i) {
    const Item item = items.item();
    ASSERT_EQ(item_size(item), item_size(encode_item(item).bytes));
  }
}

TEST(ItemSize, counts_names_and_values_as_dynamodb_does) {
  EXPECT_EQ(size_of({}), 0U);
  EXPECT_EQ(size_of({{"a", "bc"}}), 3U);
  EXPECT_EQ(size_of({{"\xC3\xA9", "\xE2\x82\xAC"}}), 5U);
  EXPECT_EQ(size_of({{"b", Bytes(std::string(10, 'x'))}}), 11U);
  EXPECT_EQ(size_of({{"t", true}, {"n", nullptr}}), 4U);
  EXPECT_EQ(size_of({{"l", List{}}}), 4U);
  EXPECT_EQ(size_of({{"l", List{"ab", nullptr}}}), 1U + 3 + (1 + 2) + (1 + 1));
  EXPECT_EQ(size_of({{"m", Item{{"xy", "z"}}}}), 1U + 3 + (1 + 2 + 1));
  EXPECT_EQ(size_of({{"s", StringSet{"a", "bcd"}}}), 5U);
}

TEST(ItemSize, counts_numbers_by_digit_pairs_around_the_point) {
  const std::pair<const char*, std::size_t> cases[] = {{"0", 1},   {"1", 2},      {"-1", 3},      {"12", 2},
                                                       {"123", 3}, {"123456", 4}, {"3.14159", 5}, {"1E125", 2},
                                                       {"100", 2}, {"0.05", 2},   {"10.05", 3},   {"100.5", 4}};
  for (const auto& [text, size] : cases) {
    EXPECT_EQ(number_size(*Number::parse(text)), size) << text;
    EXPECT_EQ(size_of({{"n", *Number::parse(text)}}), 1 + size) << text;
  }
  EXPECT_EQ(number_size(*Number::parse(std::string(38, '9'))), 20U);
}

TEST(Item, keeps_attributes_sorted_and_the_last_of_a_name) {
  Item item{{"b", 1}, {"a", 2}, {"b", 3}};
  EXPECT_EQ(item.size(), 2U);
  EXPECT_EQ(item.begin()->first, "a");
  EXPECT_EQ(item.at("b").number(), Number(3));
  EXPECT_TRUE(item.erase("a"));
  EXPECT_FALSE(item.erase("a"));
  EXPECT_EQ(item.find("a"), nullptr);
}

TEST(ItemDeathTest, says_so_when_an_attribute_is_read_as_another_type) {
  const Item item{{"a", 1}};
  EXPECT_DEATH(static_cast<void>(item.at("a").string()), "the type that was asked for");
  EXPECT_DEATH(static_cast<void>(item.at("b")), "an attribute that exists");
}

AttributeValue nested(unsigned levels) {
  AttributeValue value = "deep";
  for (unsigned i = 1; i < levels; ++i) value = List{value};
  return value;
}

TEST(ItemRules, allow_32_levels_and_not_33) {
  EXPECT_THAT(check_item_rules({{"a", nested(limits::kNestingLevels)}}), succeeds());
  const Result<void> checked = check_item_rules({{"a", nested(limits::kNestingLevels + 1)}});
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message(),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported "
            "limit");
}

TEST(ItemRules, name_the_path_of_a_violation) {
  const Result<void> checked = check_item_rules({{"a", List{1, Item{{"b", StringSet{}}}}}});
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message(), "One or more parameter values were invalid: An string set  may not be empty");
  EXPECT_EQ(checked.error().details().at(0).path, "a[1].b");
}

TEST(ItemRules, refuse_bad_names_and_text) {
  EXPECT_EQ(check_item_rules({{"", 1}}).error().message(), "Empty attribute name");
  EXPECT_THAT(check_item_rules({{std::string(limits::kAttributeNameBytes, 'n'), 1}}), succeeds());
  EXPECT_FALSE(check_item_rules({{std::string(limits::kAttributeNameBytes + 1, 'n'), 1}}).has_value());
  EXPECT_EQ(check_item_rules({{"a", "\xFF"}}).error().details().at(0).rule, "utf8");
  EXPECT_FALSE(check_item_rules({{"\xFF", 1}}).has_value());
  EXPECT_FALSE(check_item_rules({{"a", NumberSet{}}}).has_value());
  EXPECT_FALSE(check_item_rules({{"a", BinarySet{}}}).has_value());
  EXPECT_THAT(check_item_rules({{"a", StringSet{""}}, {"b", ""}, {"c", Bytes()}}), succeeds());
}

TEST(FindAttribute, does_not_find_a_number_whose_end_is_missing) {
  const std::string whole = encode_item({{"a", 1}, {"n", 12345}}).bytes;
  ASSERT_TRUE(find_attribute(whole, "n"));
  const std::string_view cut = std::string_view(whole).substr(0, whole.size() - 1);
  EXPECT_TRUE(find_attribute(cut, "a"));
  EXPECT_FALSE(find_attribute(cut, "n"));
}

}  // namespace
}  // namespace dolmen
