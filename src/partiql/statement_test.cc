#include "partiql/statement.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "base/test_result.h"
#include "partiql/explain.h"
#include "partiql/literal.h"
#include "partiql/next_token.h"
#include "partiql/parser.h"
#include "partiql/source.h"

namespace dolmen::partiql {
namespace {

/// The tables that the cases are about. Names say what they have.
TableDefinition table_of_cases(const std::string& name) {
  TableDefinition table{.name = name, .partition_key = {"pk", KeyType::kString}};
  if (name == "hashes") return table;
  table.sort_key = KeyAttribute{"sk", name == "numbers" ? KeyType::kNumber : KeyType::kString};
  table.local_indexes.push_back({.name = "lsi",
                                 .partition_keys = {{"pk", KeyType::kString}},
                                 .sort_keys = {{"l", KeyType::kNumber}},
                                 .projection = ProjectionType::kInclude,
                                 .included_attributes = {"x"}});
  table.global_indexes.push_back({.name = "gsi",
                                  .partition_keys = {{"g", KeyType::kString}},
                                  .sort_keys = {{"h", KeyType::kNumber}},
                                  .projection = ProjectionType::kKeysOnly});
  table.global_indexes.push_back({.name = "multi",
                                  .partition_keys = {{"a", KeyType::kString}, {"b", KeyType::kString}},
                                  .projection = ProjectionType::kAll});
  return table;
}

/// What becomes of a statement: the lines of its plan, or "! " and why it is refused.
std::string outcome_of(const std::string& text, const std::vector<AttributeValue>& parameters, Place place) {
  const auto plan = [&]() -> Result<std::string> {
    DOLMEN_TRY(const Syntax syntax, parse(text));
    if (const std::optional<Target> target = target_of(syntax))
      DOLMEN_TRY_VOID(check_single_attribute_keys(*target, table_of_cases(target->table)));
    DOLMEN_TRY(const std::shared_ptr<const Statement> statement, prepare(syntax, parameters, place));
    const TableDefinition table = table_of_cases(statement->table);
    DOLMEN_TRY(const Explanation explanation, explain(statement, table));
    return to_text(explanation);
  };
  Result<std::string> planned = plan();
  return planned ? *planned : "! " + planned.error().message() + "\n";
}

std::vector<AttributeValue> parameters_of(const std::string& list) {
  const Result<Syntax> syntax = parse(list);
  EXPECT_TRUE(syntax.has_value()) << list;
  std::vector<AttributeValue> values;
  for (const Term& term : syntax->root.children) {
    const Result<AttributeValue> value = literal_value(term);
    EXPECT_TRUE(value.has_value()) << list;
    values.push_back(*value);
  }
  return values;
}

/// In a case's statement, \n stands for the end of a line and \t for a tab.
std::string unescaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos; ++at)
    if (at + 1 < text.size() && (text[at + 1] == 'n' || text[at + 1] == 't'))
      text.replace(at, 2, text[at + 1] == 'n' ? "\n" : "\t");
  return text;
}

/// Cases are: "> " and a statement, or "T " and one of a transaction; perhaps "? " and a list of parameters; then what
/// becomes of it, up to an empty line.
void run_cases(const std::string& file) {
  std::ifstream in(file);
  ASSERT_TRUE(in.is_open()) << file;
  std::string line;
  std::size_t number = 0;
  std::size_t cases = 0;
  while (std::getline(in, line)) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t at = number;
    ASSERT_TRUE(line.starts_with("> ") || line.starts_with("T ")) << file << ":" << number;
    const Place place = line.starts_with("T ") ? Place::kTransaction : Place::kAlone;
    const std::string text = unescaped(line.substr(2));
    std::vector<AttributeValue> parameters;
    std::string expected;
    while (std::getline(in, line) && !line.empty()) {
      ++number;
      if (line.starts_with("? ")) {
        parameters = parameters_of(line.substr(2));
      } else {
        expected += line + "\n";
      }
    }
    ++number;
    ++cases;
    EXPECT_EQ(outcome_of(text, parameters, place), expected) << file << ":" << at << ": " << text;
  }
  EXPECT_GT(cases, 0U);
}

TEST(Statement, is_refused_with_the_words_of_the_parser) { run_cases("src/partiql/cases/syntax.txt"); }
TEST(Statement, is_refused_for_what_it_says) { run_cases("src/partiql/cases/refused.txt"); }
TEST(Statement, becomes_reads) { run_cases("src/partiql/cases/reads.txt"); }
TEST(Statement, becomes_writes) { run_cases("src/partiql/cases/writes.txt"); }

TEST(Statement, is_refused_when_it_nests_too_deeply) {
  const std::string deep(5000, '(');
  EXPECT_THAT(parse("SELECT * FROM tbl WHERE " + deep), fails_with(Code::kValidation));
  std::string negated = "SELECT * FROM tbl WHERE ";
  for (int i = 0; i < 2000; ++i) negated += "NOT ";
  EXPECT_THAT(parse(negated + "a = 1"), fails_with(Code::kValidation));
}

TEST(Statement, may_have_many_operands_in_a_row) {
  std::string text = "SELECT * FROM tbl WHERE a = 1";
  for (int i = 0; i < 299; ++i) text += " AND a = 1";
  const Result<Syntax> syntax = parse(text);
  ASSERT_THAT(syntax, succeeds());
  const auto prepared = prepare(*syntax, {});
  ASSERT_FALSE(prepared.has_value());
  EXPECT_EQ(prepared.error().message(), "The expression contains too many operators; operator count: 301");
}

TEST(Statement, that_reads_is_known_by_its_first_word) {
  EXPECT_TRUE(begins_as_read("select * from t"));
  EXPECT_TRUE(begins_as_read(" -- why\n (SELECT * FROM t)"));
  EXPECT_FALSE(begins_as_read("DELETE FROM t"));
  EXPECT_FALSE(begins_as_read(""));
  EXPECT_FALSE(begins_as_read("'"));
}

TEST(NextToken, belongs_to_its_statement) {
  const StatementRequest statement{.text = "SELECT * FROM tbl WHERE pk = ?", .parameters = {"a"}};
  const EncodedItem key = encode_item({{"pk", "a"}, {"sk", "1"}});
  const std::string token = next_token(statement, {.step = 3, .after = key});
  const Result<NextPosition> read = read_next_token(token, statement);
  ASSERT_THAT(read, succeeds());
  EXPECT_EQ(read->step, 3U);
  EXPECT_EQ(read->after, key);
  StatementRequest other = statement;
  other.parameters = {"b"};
  EXPECT_EQ(read_next_token(token, other).error().message(), "NextToken does not match request");
  for (const std::string& bad : {std::string("x"), std::string("AAAA"), token.substr(4), "B" + token.substr(1)})
    EXPECT_EQ(read_next_token(bad, statement).error().message(), "Invalid NextToken") << bad;
}

TEST(Source, lists_names_as_java_does) {
  EXPECT_EQ(in_java_order({"b", "a"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(in_java_order({"zz", "aa", "mm"}), (std::vector<std::string>{"zz", "aa", "mm"}));
}

}  // namespace
}  // namespace dolmen::partiql
