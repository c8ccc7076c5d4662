#include "value/attribute_selection.h"

#include <gtest/gtest.h>
#include <set>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "value/test_items.h"

namespace dolmen {
namespace {

/// Some of the names of an item, and some that it may not have.
std::vector<std::string> chosen_names(const Item& item, RandomItems& random) {
  std::set<std::string> names;
  for (const auto& [name, value] : item)
    if (random.below(2) == 0) names.insert(name);
  for (std::size_t n = random.below(3); n > 0; --n) names.insert(random.text());
  return {names.begin(), names.end()};
}

TEST(AttributeSelection, decodes_the_named_attributes_as_the_whole_item_has_them) {
  RandomItems random(test_seed("attribute selection"));
  for (int i = 0; i < 5'000; ++i) {
    const Item item = random.item();
    const std::vector<std::string> names = chosen_names(item, random);
    Item expected;
    for (const std::string& name : names)
      if (const AttributeValue* value = item.find(name)) expected.set(name, *value);
    ASSERT_EQ(decode_attributes(encode_item(item).bytes, names).value(), expected);
  }
}

TEST(AttributeSelection, replaces_the_named_attributes_and_leaves_the_others) {
  RandomItems random(test_seed("attribute selection"));
  for (int i = 0; i < 5'000; ++i) {
    const Item item = random.item();
    const std::vector<std::string> names = chosen_names(item, random);
    Item now;
    Item expected = item;
    for (const std::string& name : names) {
      expected.erase(name);
      if (random.below(2) == 0) continue;
      const Item value = random.item();
      now.set(name, value);
      expected.set(name, value);
    }
    ASSERT_EQ(replace_attributes(encode_item(item).bytes, names, now), encode_item(expected));
  }
}

TEST(AttributeSelection, refuses_an_item_that_is_cut_short_or_too_long) {
  const std::string bytes = encode_item(Item{{"a", "text"}, {"n", 12}, {"z", List{1, "b"}}}).bytes;
  const std::vector<std::string> names{"a"};
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(decode_attributes(bytes.substr(0, size), names), fails_with(Code::kCorruption)) << size;
  EXPECT_THAT(decode_attributes(bytes + "x", names), fails_with(Code::kCorruption));
}

TEST(AttributeSelection, refuses_a_damaged_value_that_is_named) {
  std::string bytes = encode_item(Item{{"a", "text"}, {"n", 12}}).bytes;
  bytes[bytes.find("text")] = '\xFF';  // not UTF-8
  const std::vector<std::string> names{"a"};
  EXPECT_THAT(decode_attributes(bytes, names), fails_with(Code::kCorruption));
}

}  // namespace
}  // namespace dolmen
