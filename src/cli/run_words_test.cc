#include "cli/run_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dolmen::cli {
namespace {

using ::testing::ElementsAre;

TEST(SplitLine, keeps_what_is_quoted_together) {
  EXPECT_THAT(split_line(R"(put notes  '{"a": "b c"}' "d e"f)").words,
              ElementsAre("put", "notes", R"({"a": "b c"})", "d ef"));
  EXPECT_THAT(split_line(R"('' "")").words, ElementsAre("", ""));
}

TEST(SplitLine, leaves_a_backslash_in_double_quotes_to_json_unless_a_quote_or_a_backslash_follows) {
  EXPECT_THAT(split_line(R"("a\nb")").words, ElementsAre(R"(a\nb)"));
  EXPECT_THAT(split_line(R"("a\"b" "c\\d")").words, ElementsAre(R"(a"b)", R"(c\d)"));
  EXPECT_THAT(split_line(R"(a\ b '\"')").words, ElementsAre("a b", R"(\")"));
}

TEST(SplitLine, knows_a_line_that_goes_on) {
  EXPECT_TRUE(split_line("put 'a").is_open);
  EXPECT_TRUE(split_line("put \"a").is_open);
  EXPECT_TRUE(split_line("put a\\").is_open);
  EXPECT_FALSE(split_line("put 'a' \"b\"").is_open);
}

TEST(IsStatement, goes_by_the_first_word) {
  EXPECT_TRUE(is_statement("  select * from notes"));
  EXPECT_TRUE(is_statement("INSERT INTO x VALUE {}"));
  EXPECT_FALSE(is_statement("scan notes"));
  EXPECT_FALSE(is_statement(""));
}

}  // namespace
}  // namespace dolmen::cli
