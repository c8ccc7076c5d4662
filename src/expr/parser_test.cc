#include "expr/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

#include "base/limits.h"
#include "base/test_result.h"
#include "expr/reserved_words.h"

namespace dolmen::expr {
namespace {

std::string condition_error(std::string_view text) {
  const Result<Node> parsed = parse_condition(text);
  return parsed ? "" : parsed.error().message();
}

std::string update_error(std::string_view text) {
  const auto parsed = parse_update(text);
  return parsed ? "" : parsed.error().message();
}

TEST(ConditionParser, accepts_the_whole_grammar) {
  for (const char* text :
       {"a = :v", "a <> :v", "a < :v AND b >= :w OR NOT c <= d", "(a = :v)", "(a = :v) AND (b = :w)", "(a) = :v",
        "a BETWEEN :l AND :u AND b = :v", "a IN (:a, :b, c)", "attribute_exists(a.b[3].#c)", "attribute_not_exists(#n)",
        "attribute_type(a, :t)", "begins_with(a, :p)", "contains(a, b)", "size(a) > :n", "NOT (a = b OR c = d)",
        "not a = :v and b = :w", "a[0][1].b = :v", ":v = a"})
    EXPECT_EQ(condition_error(text), "") << text;
}

TEST(ConditionParser, binds_and_before_or_and_not_before_both) {
  const Node tree = parse_condition("NOT a = :a OR b = :b AND c = :c").value();
  ASSERT_EQ(tree.kind, NodeKind::kOr);
  EXPECT_EQ(tree.children[0].kind, NodeKind::kNot);
  EXPECT_EQ(tree.children[1].kind, NodeKind::kAnd);
}

TEST(ConditionParser, shows_the_token_that_does_not_fit_with_its_neighbours) {
  const std::pair<const char*, const char*> cases[] = {
      {"a = = b", R"(Syntax error; token: "=", near: "= = b")"},
      {"a", R"(Syntax error; token: "<EOF>", near: "a")"},
      {"(a)", "Syntax error; token: \"<EOF>\", near: \")\""},
      {"(NOT a)", "Syntax error; token: \")\", near: \"a)\""},
      {"attribute_not_exists(", R"(Syntax error; token: "<EOF>", near: "(")"},
      {"(a = :v) = :v", R"(Syntax error; token: "=", near: ") = :v")"},
      {"a > 4", R"(Syntax error; token: "4", near: "> 4")"},
      {"!!!", R"(Syntax error; token: "!", near: "!!")"},
      {"a.b. = :v", R"(Syntax error; token: "=", near: ". = :v")"},
      {"_a = :v", R"(Syntax error; token: "_", near: "_a")"},
      {"a = (b = c)", R"(Syntax error; token: "=", near: "b = c")"},
      {"(a) AND b = c", R"(Syntax error; token: "AND", near: ") AND b")"},
      {"l[99999999999] = = b", R"(Syntax error; token: "=", near: "= = b")"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(condition_error(text), message) << text;
}

TEST(ConditionParser, takes_no_keyword_for_a_name) {
  const std::pair<const char*, const char*> cases[] = {{"a = and", R"(Syntax error; token: "and", near: "= and")"},
                                                       {"Set = :v", R"(Syntax error; token: "Set", near: "Set =")"},
                                                       {"a.not = :v", R"(Syntax error; token: "not", near: ".not =")"},
                                                       {"in(a) = :v", R"(Syntax error; token: "in", near: "in(")"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(condition_error(text), message) << text;
}

TEST(ConditionParser, shows_whole_characters) {
  EXPECT_EQ(condition_error("a = :v \u20ac b"), "Syntax error; token: \"\u20ac\", near: \":v \u20ac b\"");
  EXPECT_EQ(condition_error("\U0001F600"), "Syntax error; token: \"\U0001F600\", near: \"\U0001F600\"");
}

TEST(ConditionParser, refuses_an_index_with_zeros_before_it) {
  EXPECT_EQ(condition_error("l[00] = :v"), R"(Syntax error; token: "0", near: "00]")");
  EXPECT_EQ(condition_error("l[0] = :v AND l[10] = :v"), "");
}

TEST(ConditionParser, reports_the_flaw_that_comes_first_in_the_text) {
  const std::pair<const char*, const char*> cases[] = {
      {"abort = nope(a)", "Attribute name is a reserved keyword; reserved keyword: abort"},
      {"nope(abort) = a", "Invalid function name; function: nope"},
      {"l[99999999999] = abort", "List index is not within the allowable range; index: [99999999999]"},
      {"abort = l[99999999999]", "Attribute name is a reserved keyword; reserved keyword: abort"},
      {"size(a) AND nope(a)", "The function is not allowed to be used this way in an expression; function: size"},
      {"contains(contains(abort, b), c)",
       "The function is not allowed to be used this way in an expression; function: contains"},
      {"contains(abort, contains(a, b))", "Attribute name is a reserved keyword; reserved keyword: abort"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(condition_error(text), message) << text;
}

TEST(ConditionParser, names_a_function_of_updates) {
  EXPECT_EQ(condition_error("a = if_not_exists(b, :v)"),
            "The function is not allowed in a condition expression; function: if_not_exists");
}

TEST(ConditionParser, names_an_unknown_function_however_deep_it_is_nested) {
  std::string deep = "b";
  for (int i = 0; i < 1300; ++i) deep = "f(" + deep + ")";
  EXPECT_EQ(condition_error("a < " + deep), "Invalid function name; function: f");
}

TEST(ConditionParser, makes_no_deep_tree_of_a_long_chain) {
  std::string text = "a = :v";
  for (int i = 0; i < 200'000; ++i) text += " OR a = :v";
  const Result<Node> parsed = parse_condition(text, TextLimits::kNone);
  ASSERT_THAT(parsed, succeeds());
  EXPECT_EQ(parsed->children.size(), 200'001U);
}

TEST(ConditionParser, reports_flaws_in_the_order_of_dynamodb) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "The expression can not be empty;"},
      {"((a = :v))", "The expression has redundant parentheses;"},
      {"((a)) = :v", "The expression has redundant parentheses;"},
      {"nope(a) = abort", "Invalid function name; function: nope"},
      {"SIZE(a) = :v", "Invalid function name; function: SIZE"},
      {"size(a)", "The function is not allowed to be used this way in an expression; function: size"},
      {"attribute_exists(a) = :v",
       "The function is not allowed to be used this way in an expression; function: attribute_exists"},
      {"a.abOrt = :v", "Attribute name is a reserved keyword; reserved keyword: abOrt"},
      {"((a = abort)) AND nope(b)", "The expression has redundant parentheses;"},
      {"a[2147483648] = :v", "List index is not within the allowable range; index: [2147483648]"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(condition_error(text), message) << text;
}

TEST(ConditionParser, keeps_the_limits_of_length_and_operators) {
  const std::string fits(limits::kExpressionBytes - 6, ' ');
  EXPECT_EQ(condition_error(fits + "a = :v"), "");
  EXPECT_EQ(condition_error(fits + " a = :v"),
            "Expression size has exceeded the maximum allowed size; expression size: 4097");
  std::string many = "a=b";
  for (int i = 0; i < 149; ++i) many += " OR a=b";
  EXPECT_EQ(condition_error(many), "");
  EXPECT_EQ(condition_error(many + " OR a=b"), "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(condition_error(std::string(2000, '(') + "a=b" + std::string(2000, ')')),
            "The expression has redundant parentheses;");
}

TEST(Parser, names_the_size_of_too_long_a_text_only_for_conditions) {
  const std::string fits(limits::kExpressionBytes - 8, ' ');
  EXPECT_EQ(update_error(fits + "REMOVE a"), "");
  EXPECT_EQ(update_error(fits + " REMOVE a"), "Expression size has exceeded the maximum allowed size;");
  EXPECT_THAT(parse_projection(fits + "       a"), succeeds());
  EXPECT_EQ(parse_projection(fits + "        a").error().message(),
            "Expression size has exceeded the maximum allowed size;");
}

TEST(UpdateParser, accepts_the_whole_grammar) {
  for (const char* text : {"SET a = :v", "set a = b, c.d[0] = :v remove e, f[1] ADD g :n DELETE h :s", "SET a = b + :v",
                           "SET a = (b - :v)", "SET a = ((b.c)+(e))", "SET a = if_not_exists(b, :v)",
                           "SET a = list_append(if_not_exists(b, :e), :v)", "SET a = if_not_exists(b, :z) + :one"})
    EXPECT_EQ(update_error(text), "") << text;
}

TEST(UpdateParser, refuses_what_is_not_in_it) {
  const std::pair<const char*, const char*> cases[] = {
      {"INVALID SYNTAX HERE", R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")"},
      {"SET (a = b)", R"(Syntax error; token: "(", near: "SET (a")"},
      {"SET a = b + c + d", R"(Syntax error; token: "+", near: "c + d")"},
      {"ADD a b", R"(Syntax error; token: "b", near: "a b")"},
      {"SET a = :v SET b = :v", R"(The "SET" section can only be used once in an update expression;)"},
      {"SET a = size(b)", "The function is not allowed in an update expression; function: size"},
      {"SET a = nope(b)", "Invalid function name; function: nope"},
      {"SET a = if_not_exists(b, (c + :v))", R"(Syntax error; token: "+", near: "c + :v")"},
      {"SET a = :v + (b + :v)", R"(Syntax error; token: "+", near: "b + :v")"},
      {"SET a = (b + :v) + :v", R"(Syntax error; token: "+", near: ") + :v")"},
      {"SET a = list_append(b, list_append(c, d))",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"SET a = list_append(b, c) + :v",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"SET set = :v", R"(Syntax error; token: "set", near: "SET set =")"},
      {"SET abort = nope(b)", "Attribute name is a reserved keyword; reserved keyword: abort"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(update_error(text), message) << text;
}

TEST(ConditionParser, tells_a_function_of_updates_from_an_unknown_one) {
  EXPECT_EQ(condition_error("if_not_exists(a, b)"),
            "The function is not allowed in a condition expression; function: if_not_exists");
  EXPECT_EQ(condition_error("size(list_append(a, b)) = c"),
            "The function is not allowed in a condition expression; function: list_append");
}

TEST(UpdateParser, appends_lists_only_as_the_whole_value) {
  const std::string misuse = "The function is not allowed to be used this way in an expression; function: list_append";
  for (const char* text : {"SET a = list_append(list_append(a, b), c)", "SET a = if_not_exists(a, list_append(b, c))",
                           "SET a = if_not_exists(a, (list_append(b, c)))", "SET a = list_append(b, c) + d",
                           "SET a = :v + list_append(b, c)", "SET a = if_not_exists(list_append(a, b), c)"})
    EXPECT_EQ(update_error(text), misuse) << text;
  EXPECT_EQ(update_error("SET a = (list_append(b, c))"), "");
}

TEST(UpdateParser, adds_nothing_up_inside_an_operand) {
  EXPECT_EQ(update_error("SET a = if_not_exists(a, (b - c))"), R"(Syntax error; token: "-", near: "b - c")");
  EXPECT_EQ(update_error("SET a = :v - (b - c)"), R"(Syntax error; token: "-", near: "b - c")");
  EXPECT_EQ(update_error("SET a = (b - c) - :v"), R"(Syntax error; token: "-", near: ") - :v")");
  EXPECT_EQ(update_error("SET a = ((b - c))"), "The expression has redundant parentheses;");
}

TEST(Parser, takes_no_keyword_for_a_name) {
  for (const char* word : {"add", "AND", "between", "delete", "in", "or", "remove", "Set"}) {
    const std::string text(word);
    EXPECT_EQ(condition_error(text + " = :v"), fmt::format(R"(Syntax error; token: "{0}", near: "{0} =")", word));
    EXPECT_EQ(condition_error("a." + text + " = :v"),
              fmt::format(R"(Syntax error; token: "{0}", near: ".{0} =")", word));
    EXPECT_EQ(update_error("REMOVE " + text), fmt::format(R"(Syntax error; token: "{0}", near: "REMOVE {0}")", word));
    EXPECT_EQ(update_error("SET a = " + text + "(b)"),
              fmt::format(R"(Syntax error; token: "{0}", near: "= {0}(")", word));
  }
}

TEST(Parser, takes_no_path_of_more_parts_than_an_item_has_levels) {
  const std::string too_many = "The document path has too many nesting levels; nesting levels: 33";
  std::string names = "a";
  for (int i = 1; i < 32; ++i) names += ".a";
  std::string indexes = "a";
  for (int i = 1; i < 32; ++i) indexes += "[0]";
  for (const std::string& fits : {names, indexes}) {
    EXPECT_EQ(condition_error(fits + " = :v"), "");
    EXPECT_EQ(update_error("SET " + fits + " = :v"), "");
    EXPECT_THAT(parse_projection(fits), succeeds());
    EXPECT_EQ(condition_error("a = " + fits + "[0]"), too_many);
    EXPECT_EQ(update_error("REMOVE " + fits + ".a"), too_many);
    EXPECT_EQ(update_error("SET a = if_not_exists(" + fits + ".a, :v)"), too_many);
    EXPECT_EQ(parse_projection("b, " + fits + "[0]").error().message(), too_many);
  }
}

TEST(Parser, shows_the_space_before_the_first_token) {
  EXPECT_EQ(condition_error("  > c"), R"(Syntax error; token: ">", near: "  > c")");
}

TEST(ProjectionParser, reads_paths) {
  const auto paths = parse_projection("a, #b.c[2], d").value();
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_EQ(path_text(paths[1]), "[#b, c, [2]]");
  EXPECT_EQ(parse_projection("a,").error().message(), R"(Syntax error; token: "<EOF>", near: ",")");
}

TEST(ReservedWords, are_known_in_any_case) {
  for (const char* word : {"ABORT", "abort", "Zone", "name", "TTL", "status"})
    EXPECT_TRUE(is_reserved_word(word)) << word;
  for (const char* word : {"aborts", "topic", "x", ""}) EXPECT_FALSE(is_reserved_word(word)) << word;
}

}  // namespace
}  // namespace dolmen::expr
