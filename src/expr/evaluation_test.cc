#include <gtest/gtest.h>
#include <string>

#include "base/test_result.h"
#include "expr/binding.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/parser.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "value/json.h"

namespace dolmen::expr {
namespace {

const Item kItem{{"s", "text"},
                 {"n", 5},
                 {"b", Bytes("\x01\x02")},
                 {"t", true},
                 {"l", List{"zero", 1, List{"deep"}}},
                 {"m", Item{{"x", 1}, {"y", "z"}}},
                 {"ss", StringSet{"a", "b"}},
                 {"ns", NumberSet{1, 2}},
                 {"bs", BinarySet{Bytes("\x01"), Bytes("\x02\x03")}}};

const Placeholders kPlaceholders{.names = {{"#n", "n"}, {"#x", "x"}},
                                 .values = {{":five", 5},
                                            {":six", 6},
                                            {":text", "text"},
                                            {":te", "te"},
                                            {":a", "a"},
                                            {":four", 4},
                                            {":seven", 7},
                                            {":one", 1},
                                            {":three", 3},
                                            {":bytes", Bytes("\x02\x03")},
                                            {":other_bytes", Bytes("\x02")},
                                            {":byte_text", "\x01"},
                                            {":true", true},
                                            {":type", "S"},
                                            {":bad", "Q"},
                                            {":list", List{"tail"}},
                                            {":map", Item{{"x", 1}}},
                                            {":set", StringSet{"b", "c"}},
                                            {":all", StringSet{"a", "b"}}}};

bool holds_text(std::string_view text) {
  Binder binder(kPlaceholders);
  return holds(binder.condition(parse_condition(text).value()).value(), kItem);
}

std::string binding_error(std::string_view text) {
  Binder binder(kPlaceholders);
  const Result<Node> bound = binder.condition(parse_condition(text).value());
  return bound ? "" : bound.error().message();
}

TEST(Condition, compares_values_of_one_type) {
  for (const char* text :
       {"n = :five", "#n < :six", ":six > n", "n <> :six", "n BETWEEN :five AND :six", "n IN (:six, :five)", "s >= :te",
        "m.#x < n", "l[1] < n", "t = :true", "ss = :all", "NOT n = :six", "size(s) < :five"})
    EXPECT_TRUE(holds_text(text)) << text;
  for (const char* text :
       {"n = :six", "s < :five", "n = :text", "n BETWEEN :six AND :six", "l[9] = :five", "m.zz = :five"})
    EXPECT_FALSE(holds_text(text)) << text;
}

TEST(Condition, includes_both_bounds_of_between_and_nothing_beyond_them) {
  for (const char* text : {"n BETWEEN :five AND :five", "n BETWEEN :four AND :five", "n BETWEEN :four AND :six"})
    EXPECT_TRUE(holds_text(text)) << text;
  for (const char* text : {"n BETWEEN :one AND :four", "n BETWEEN :six AND :seven", "s BETWEEN :a AND :te"})
    EXPECT_FALSE(holds_text(text)) << text;
}

TEST(Condition, finds_the_members_of_every_kind_of_set) {
  for (const char* text : {"contains(bs, :bytes)", "contains(ns, :one)", "contains(ss, :a)"})
    EXPECT_TRUE(holds_text(text)) << text;
  for (const char* text : {"contains(bs, :other_bytes)", "contains(bs, :byte_text)", "contains(ns, :three)",
                           "contains(ss, :te)", "contains(bs, :one)"})
    EXPECT_FALSE(holds_text(text)) << text;
}

TEST(Condition, takes_what_does_not_exist_for_different) {
  EXPECT_TRUE(holds_text("zz <> :five"));
  EXPECT_FALSE(holds_text("zz = :five"));
  EXPECT_FALSE(holds_text("zz < :five"));
  EXPECT_TRUE(holds_text("size(n) <> :five"));
}

TEST(Condition, knows_the_functions) {
  for (const char* text :
       {"attribute_exists(m.x)", "attribute_not_exists(m.zz)", "attribute_type(s, :type)", "begins_with(s, :te)",
        "contains(s, :te)", "contains(ss, :a)", "size(l) < :five", "size(ss) < size(l)"})
    EXPECT_TRUE(holds_text(text)) << text;
  for (const char* text : {"attribute_type(n, :type)", "begins_with(n, :te)", "contains(ns, :a)", "contains(m, :a)"})
    EXPECT_FALSE(holds_text(text)) << text;
}

TEST(Binder, says_what_is_wrong_with_operands) {
  const std::pair<const char*, const char*> cases[] = {
      {"#zz = :five", "An expression attribute name used in the document path is not defined; attribute name: #zz"},
      {"n = :zz", "An expression attribute value used in expression is not defined; attribute value: :zz"},
      {"begins_with(n)",
       "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: "
       "1"},
      {"attribute_exists(:a)", "Operator or function requires a document path; operator or function: attribute_exists"},
      {"begins_with(s, :five)",
       "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
      {"n < :true", "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
      {"attribute_type(s, :bad)",
       "Invalid attribute type name found; type: Q, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"attribute_type(s, size(n))",
       "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N"},
      {"n = #n",
       "The first operand must be distinct from the remaining operands for this operator or function; operator: =, "
       "first "
       "operand: [n]"},
      {"n BETWEEN :six AND :five",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
       "AttributeValue: {N:6}, upper bound operand: AttributeValue: {N:5}"},
      {"n BETWEEN :five AND :a",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: "
       "{N:5}, "
       "upper bound operand: AttributeValue: {S:a}"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(binding_error(text), message) << text;
}

TEST(Binder, reports_names_and_values_that_nothing_uses) {
  const Placeholders some{.names = {{"#a", "a"}, {"#b", "b"}}, .values = {{":v", 1}}};
  Binder binder(some);
  ASSERT_THAT(binder.condition(parse_condition("#a = :v").value()), succeeds());
  EXPECT_EQ(binder.check_all_used().error().message(),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
}

std::string updated(std::string_view text) {
  Binder binder(kPlaceholders);
  const auto actions = binder.update(parse_update(text).value());
  if (!actions) return actions.error().message();
  const Result<Item> result =
      apply(*actions, {{"n", 5}, {"l", List{0, 1, 2, 3}}, {"m", Item{{"x", 1}}}, {"ss", StringSet{"a", "b"}}});
  return result ? json::to_text(*result) : result.error().message();
}

TEST(Update, reads_the_old_item_throughout) {
  EXPECT_EQ(updated("SET n = :six, m.x = n REMOVE l, ss"), R"({"m":{"M":{"x":{"N":"5"}}},"n":{"N":"6"}})");
  EXPECT_EQ(updated("REMOVE l[0], l[2], m, n, ss"), R"({"l":{"L":[{"N":"1"},{"N":"3"}]}})");
  EXPECT_EQ(updated("SET l[9] = :a, l[7] = :te, l[1] = :six REMOVE l[0], m, n, ss"),
            R"({"l":{"L":[{"N":"6"},{"N":"2"},{"N":"3"},{"S":"te"},{"S":"a"}]}})");
}

TEST(Update, removes_no_element_that_it_appends) {
  EXPECT_EQ(updated("SET l[9] = :a REMOVE l[4], m, n, ss"),
            R"({"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"},{"S":"a"}]}})");
}

TEST(Update, touches_the_paths_as_they_are_written) {
  Binder binder(kPlaceholders);
  const auto actions = binder.update(parse_update("SET l[9] = :a, m.#x = :te REMOVE l[0]").value()).value();
  const Item old{{"l", List{0, 1}}, {"m", Item{{"x", 1}, {"y", 2}}}};
  const std::vector<Path> paths = updated_paths(actions);
  EXPECT_EQ(json::to_text(project(old, paths)), R"({"l":{"L":[{"N":"0"}]},"m":{"M":{"x":{"N":"1"}}}})");
  EXPECT_EQ(json::to_text(project(apply(actions, old).value(), paths)),
            R"({"l":{"L":[{"N":"1"}]},"m":{"M":{"x":{"S":"te"}}}})");
}

TEST(Update, adds_and_deletes) {
  EXPECT_EQ(updated("ADD n :five, fresh :six, ss :set REMOVE l, m"),
            R"({"fresh":{"N":"6"},"n":{"N":"10"},"ss":{"SS":["a","b","c"]}})");
  EXPECT_EQ(updated("DELETE ss :all, nothing :set REMOVE l, m, n"), "{}");
  EXPECT_EQ(updated("SET l = list_append(l, :list), k = if_not_exists(n, :six) REMOVE m, n, ss, zz"),
            R"({"k":{"N":"5"},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"},{"S":"tail"}]}})");
}

TEST(Update, does_not_remove_an_element_that_it_appends) {
  EXPECT_EQ(updated("SET l[9] = :a REMOVE l[4], m, n, ss"),
            R"({"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"},{"S":"a"}]}})");
  EXPECT_EQ(updated("SET l[9] = :map REMOVE l[4].x"),
            "The document path provided in the update expression is invalid for update");
}

TEST(Update, refuses_in_the_words_of_dynamodb) {
  EXPECT_EQ(updated("SET a = zz"), "The provided expression refers to an attribute that does not exist in the item");
  EXPECT_EQ(updated("SET a = m + :five"), "An operand in the update expression has an incorrect data type");
  EXPECT_EQ(updated("SET zz.y = :five"), "The document path provided in the update expression is invalid for update");
  EXPECT_EQ(updated("ADD m :five"), "An operand in the update expression has an incorrect data type");
  EXPECT_EQ(updated("ADD n :a"),
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING");
  EXPECT_EQ(updated("SET a = if_not_exists(n, n)"),
            "The first operand must be distinct from the remaining operands for this operator or function; operator: "
            "if_not_exists, first operand: [n]");
  EXPECT_EQ(
      updated("SET m = :five, m.x = :six"),
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m], path two: "
      "[m, x]");
  EXPECT_EQ(
      updated("SET m.x = :five, m[0] = :six"),
      "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, x], path "
      "two: [m, [0]]");
}

/// A value in so many maps, each the member `a` of the next.
AttributeValue in_maps(int maps, AttributeValue value) {
  for (int i = 0; i < maps; ++i) value = Item{{"a", std::move(value)}};
  return value;
}

TEST(Update, lets_nothing_come_to_lie_below_the_deepest_level) {
  constexpr std::string_view kTooDeep = "Nesting Levels have exceeded supported limits";
  const Placeholders given{.values = {{":one", 1},
                                      {":set", StringSet{"s"}},
                                      {":maps11", in_maps(11, 1)},
                                      {":maps12", in_maps(12, 1)},
                                      {":list", List{1}},
                                      {":list1", List{in_maps(1, 1)}}}};
  const auto path = [](int parts) {
    std::string text = "a";
    for (int i = 1; i < parts; ++i) text += ".a";
    return text;
  };
  const auto outcome = [&](const std::string& text, const Item& item) {
    Binder binder(given);
    const Result<Item> result = expr::apply(binder.update(parse_update(text).value()).value(), item);
    return result ? "" : result.error().message();
  };
  const Item deep{{"a", in_maps(20, 1)}};
  EXPECT_EQ(outcome("SET " + path(21) + " = :maps11", deep), "");
  EXPECT_EQ(outcome("SET " + path(21) + " = :maps12", deep), kTooDeep);
  const Item with_list{{"a", in_maps(29, List{})}};
  EXPECT_EQ(outcome("SET " + path(30) + "[0] = :one", with_list), "");
  EXPECT_EQ(outcome("SET " + path(30) + " = list_append(" + path(30) + ", :list1)", with_list), "");
  EXPECT_EQ(outcome("SET " + path(30) + "[0] = :list1", with_list), kTooDeep);
  const Item deeper_list{{"a", in_maps(30, List{})}};
  EXPECT_EQ(outcome("SET " + path(31) + " = list_append(" + path(31) + ", :list)", deeper_list), "");
  EXPECT_EQ(outcome("SET " + path(31) + " = list_append(" + path(31) + ", :list1)", deeper_list), kTooDeep);
  EXPECT_EQ(outcome("ADD " + path(31) + ".x :set", {{"a", in_maps(30, Item{})}}), "");
}

TEST(Update, words_a_wrong_type_by_the_form_of_the_request) {
  Binder binder(kPlaceholders);
  for (const std::string_view text :
       {"ADD m :five", "DELETE m :set", "SET m = list_append(if_not_exists(m, :list), :list)"}) {
    const auto actions = binder.update(parse_update(text).value()).value();
    const auto result = apply(actions, {{"m", Item{}}}, UpdateForm::kAttributeUpdates);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message(), "Type mismatch for attribute to update");
  }
}

TEST(Binder, reports_the_first_paths_that_meet_among_paths_into_many_attributes) {
  Binder binder(kPlaceholders);
  const auto paths = binder.projection(parse_projection("m[0], l.x, n, m.x, l.x.y, s").value());
  EXPECT_EQ(paths.error().message(),
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [l, x], "
            "path two: [l, x, y]");
}

TEST(Projection, takes_parts_and_closes_lists_up) {
  Binder binder(kPlaceholders);
  const auto paths = binder.projection(parse_projection("l[2], l[0], m.y, n, zz, s.nope, m.zz").value()).value();
  EXPECT_EQ(json::to_text(project(kItem, paths)),
            R"({"l":{"L":[{"S":"zero"},{"L":[{"S":"deep"}]}]},"m":{"M":{"y":{"S":"z"}}},"n":{"N":"5"}})");
}

std::string key_error(std::string_view text) {
  Binder binder(kPlaceholders);
  const auto keys = key_conditions_of(binder.condition(parse_condition(text).value()).value());
  return keys ? "" : keys.error().message();
}

TEST(KeyCondition, takes_only_what_a_sorted_index_can_answer) {
  EXPECT_EQ(key_error("p = :a AND n BETWEEN :five AND :six"), "");
  EXPECT_EQ(key_error("p = :a OR n = :five"), "Invalid operator used in KeyConditionExpression: OR");
  EXPECT_EQ(key_error("p = :a AND contains(n, :a)"), "Invalid operator used in KeyConditionExpression: contains");
  EXPECT_EQ(key_error("p = :a AND p = :te"), "KeyConditionExpressions must only contain one condition per key");
  EXPECT_EQ(key_error("p.x = :a"), "KeyConditionExpressions cannot have conditions on nested attributes");
  EXPECT_EQ(key_error("size(p) = :five"), "KeyConditionExpressions cannot contain nested operations");
  EXPECT_EQ(key_error("p = n"),
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition");
  EXPECT_EQ(key_error(":a = :te"), "Invalid condition in KeyConditionExpression: No key attribute specified");
}

}  // namespace
}  // namespace dolmen::expr
