#include "cli/shell_completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_words.h"

namespace dolmen::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

VerbInfo program() {
  VerbInfo query{.name = "query", .help = "", .options = {}, .arguments = {}, .verbs = {}};
  query.options = {{.name = "--where", .help = "", .takes_value = true, .value = "CONDITION"},
                   {.name = "--format", .help = "", .takes_value = true, .value = "plain|typed"}};
  VerbInfo create{.name = "create", .help = "", .options = {}, .arguments = {}, .verbs = {}};
  VerbInfo table{.name = "table", .help = "", .options = {}, .arguments = {}, .verbs = {create}};
  return {.name = "dolmen", .help = "", .options = {}, .arguments = {}, .verbs = {query, table}};
}

std::vector<std::string> completed(const std::string& line, const std::string& word) {
  const Vocabulary vocabulary{.tables = [] { return std::vector<std::string>{"notes", "users"}; },
                              .attributes =
                                  [](const std::string& table) {
                                    return table == "notes" ? std::vector<std::string>{"author", "topic"}
                                                            : std::vector<std::string>{"email"};
                                  }};
  return shell_completions(program(), vocabulary, line, word);
}

TEST(ShellCompletion, begins_with_verbs_and_statements) {
  EXPECT_THAT(completed("qu", "qu"), ElementsAre("query"));
  EXPECT_THAT(completed("SEL", "SEL"), ElementsAre("SELECT"));
  EXPECT_THAT(completed("sel", "sel"), ElementsAre("select"));
  EXPECT_THAT(completed("table c", "c"), ElementsAre("create"));
}

TEST(ShellCompletion, knows_options_tables_and_the_words_of_options) {
  EXPECT_THAT(completed("query n", "n"), ElementsAre("notes"));
  EXPECT_THAT(completed("query notes --w", "--w"), ElementsAre("--where"));
  EXPECT_THAT(completed("query notes --format ", ""), ElementsAre("plain", "typed"));
}

TEST(ShellCompletion, knows_the_attributes_of_the_tables_in_the_line) {
  EXPECT_THAT(completed("query notes --where 'to", "to"), ElementsAre("topic"));
  EXPECT_THAT(completed("SELECT au FROM notes", "FROM notes"), IsEmpty());
  EXPECT_THAT(completed("SELECT * FROM notes WHERE au", "au"), ElementsAre("author"));
  EXPECT_THAT(completed("SELECT * FROM users WHERE e", "e"), ElementsAre("email", "exists"));
  EXPECT_THAT(completed("SELECT * FROM u", "u"), ElementsAre("update", "users"));
}

TEST(SplitLine, keeps_quoted_words_together) {
  EXPECT_THAT(split_line(R"(item put notes '{"a": "b c"}')").words,
              ElementsAre("item", "put", "notes", R"({"a": "b c"})"));
  EXPECT_THAT(split_line(R"(a "b \"c\"" d\ e)").words, ElementsAre("a", "b \"c\"", "d e"));
  EXPECT_THAT(split_line("a ''").words, ElementsAre("a", ""));
  EXPECT_TRUE(split_line("a 'b").is_open);
  EXPECT_TRUE(split_line("a \\").is_open);
  EXPECT_FALSE(split_line("a 'b'").is_open);
}

TEST(IsStatement, goes_by_the_first_word) {
  EXPECT_TRUE(is_statement("  select * from notes"));
  EXPECT_TRUE(is_statement("INSERT INTO x VALUE {}"));
  EXPECT_FALSE(is_statement("scan notes"));
  EXPECT_FALSE(is_statement(""));
}

}  // namespace
}  // namespace dolmen::cli
