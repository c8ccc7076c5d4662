#include "dolmen/value.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace dolmen {
namespace {

TEST(AttributeValue, copies_sets_and_leaves_them_empty_when_it_is_moved_from) {
  AttributeValue value(StringSet{"a", "b"});
  const AttributeValue copy = value;
  value.get_if<StringSet>()->insert("c");
  EXPECT_EQ(copy.string_set(), (StringSet{"a", "b"}));
  EXPECT_NE(copy, value);

  const AttributeValue taken = std::move(value);
  EXPECT_EQ(taken.string_set(), (StringSet{"a", "b", "c"}));
  // NOLINTBEGIN(bugprone-use-after-move): that is the question
  EXPECT_EQ(value.type(), Type::kStringSet);
  EXPECT_TRUE(value.string_set().empty());
  EXPECT_EQ(AttributeValue(value), AttributeValue(StringSet{}));
  value.get_if<StringSet>()->insert("d");
  EXPECT_EQ(value.string_set(), StringSet{"d"});
  value = copy;
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_EQ(value, copy);
  value = AttributeValue(NumberSet{1, 2});
  EXPECT_EQ(value.get_if<StringSet>(), nullptr);
  EXPECT_EQ(value.number_set(), (NumberSet{1, 2}));
}

TEST(AttributeValue, becomes_any_other_value_and_ends_without_a_trace) {
  // Texts that are short and long, because only the long ones have memory of their own.
  const std::string text(100, 'x');
  const std::vector<AttributeValue> values = {"a",
                                              text,
                                              7,
                                              Bytes(text),
                                              true,
                                              nullptr,
                                              List{text, 1},
                                              Item{{text, text}},
                                              StringSet{text},
                                              NumberSet{1},
                                              BinarySet{Bytes(text)}};
  for (const AttributeValue& before : values)
    for (const AttributeValue& after : values) {
      AttributeValue copied = before;
      copied = after;
      EXPECT_EQ(copied, after);
      AttributeValue moved = before;
      moved = AttributeValue(after);
      EXPECT_EQ(moved, after);
      copied = std::as_const(copied);
      EXPECT_EQ(copied, after);
    }
}

TEST(AttributeValue, can_become_a_part_of_itself) {
  for (const AttributeValue& part : {AttributeValue(12), AttributeValue("a text that is too long for its place"),
                                     AttributeValue(true), AttributeValue(List{"x"})}) {
    AttributeValue copied = List{"first", part};
    copied = copied.list()[1];
    EXPECT_EQ(copied, part);
    AttributeValue moved = List{"first", part};
    moved = std::move((*moved.get_if<List>())[1]);
    EXPECT_EQ(moved, part);
  }
}

TEST(AttributeValue, shows_a_visitor_the_set_itself) {
  const AttributeValue value(BinarySet{Bytes("x")});
  const bool is_binary_set = value.visit([]<class T>(const T& /*set*/) { return std::same_as<T, BinarySet>; });
  EXPECT_TRUE(is_binary_set);
}

}  // namespace
}  // namespace dolmen
