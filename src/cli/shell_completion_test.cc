#include "cli/shell_completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dolmen::cli
