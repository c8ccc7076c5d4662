#include "value/item_parts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "base/test_seed.h"

namespace dolmen {
namespace {

using Kind = TextChange::Kind;

std::string random_name(std::mt19937_64& random) {
  std::string name(random() % 11, 'a');
  // Few letters, so that names begin alike; bytes above 127, which are not negative; and zeros, which are not an end.
  for (char& c : name) c = "ab\xC3"[random() % 4];
  // Some begin alike for longer than is compared at once.
  return std::string(random() % 3 * 8, 'a') + name;
}

TEST(ItemParts, compare_names_and_their_first_bytes_as_strings_compare) {
  std::mt19937_64 random(test_seed("names"));
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = random_name(random);
    const std::string b = random_name(random);
    ASSERT_EQ(compare_names(a, b) < 0, a < b) << a << " " << b;
    ASSERT_EQ(compare_names(a, b) == 0, a == b) << a << " " << b;
    if (name_prefix(a) != name_prefix(b)) {
      ASSERT_EQ(name_prefix(a) < name_prefix(b), a < b) << a << " " << b;
    }
    if (name_start(a) != name_start(b)) {
      ASSERT_EQ(name_start(a) < name_start(b), a < b) << a << " " << b;
    } else {
      ASSERT_EQ(compare_after_start(a, b) < 0, a < b) << a << " " << b;
      ASSERT_EQ(compare_after_start(a, b) == 0, a == b) << a << " " << b;
    }
  }
}

TEST(ItemParts, change_many_attributes_as_one_after_the_other_does) {
  std::mt19937_64 random(test_seed("changes"));
  for (int i = 0; i < 2'000; ++i) {
    Item item;
    for (std::size_t count = random() % 8; count > 0; --count) item.set(random_name(random), Number(count));
    std::map<std::string, TextChange, std::less<>> changes;
    for (std::size_t count = random() % 8; count > 0; --count)
      changes[random_name(random)] = {.name = {}, .kind = static_cast<Kind>(random() % 3), .text = "new"};
    Item expected = item;
    std::vector<TextChange> in_order;
    for (auto& [name, change] : changes) {
      change.name = name;
      const auto before = [&](const Item::Attribute& attribute) { return attribute.first < name; };
      change.place = {.at = static_cast<std::uint32_t>(std::ranges::count_if(item, before)),
                      .exists = item.contains(name)};
      in_order.push_back(change);
      if (change.kind == Kind::kSet) expected.set(name, change.text);
      if (change.kind == Kind::kRemove) expected.erase(name);
    }
    ItemParts::change(item, in_order);
    ASSERT_EQ(item, expected);
  }
}

TEST(ItemParts, find_and_replace_every_attribute_of_an_item) {
  std::mt19937_64 random(test_seed("attributes"));
  for (int i = 0; i < 2'000; ++i) {
    Item item;
    std::map<std::string, int, std::less<>> expected;
    for (int count = 0; count < 12; ++count) {
      const std::string name = random_name(random);
      item.set(name, count);
      expected[name] = count;
      if (random() % 4 == 0) {
        ASSERT_EQ(item.erase(name), expected.erase(name) == 1);
      }
    }
    ASSERT_EQ(item.size(), expected.size());
    for (const auto& [name, number] : expected) ASSERT_EQ(item.at(name), AttributeValue(number));
    ASSERT_EQ(item.contains("c"), false);
  }
}

}  // namespace
}  // namespace dolmen
