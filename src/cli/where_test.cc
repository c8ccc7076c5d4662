#include "cli/where.h"

#include <fstream>
#include <gtest/gtest.h>

#include "transfer/plain_json.h"

namespace dolmen::cli {
namespace {

std::string rendered(const Condition& condition) {
  std::string text;
  for (const detail::ExpressionPiece& piece : condition.pieces()) {
    if (piece.kind == detail::ExpressionPiece::Kind::kText) text += piece.text;
    if (piece.kind == detail::ExpressionPiece::Kind::kName) text += "`" + piece.text + "`";
    if (piece.kind == detail::ExpressionPiece::Kind::kValue) transfer::append_plain(text, piece.value);
  }
  return text;
}

const WhereKeys kKeys{
    .partition = {{"topic", KeyType::kString}}, .sort = {{"written", KeyType::kNumber}}, .owner = "table \"notes\""};

std::string outcome(const std::string& text, const std::string& aspect) {
  const Result<Where> where = Where::parse(text);
  if (aspect == "wrong") return where ? "nothing is wrong" : where.error().message();
  if (!where) return where.error().message();
  if (aspect == "filter") return rendered(where->condition());
  const Result<WhereQuery> query = where->query(kKeys);
  if (aspect == "query wrong") return query ? "nothing is wrong" : query.error().message();
  if (!query) return query.error().message();
  return rendered(aspect == "key" ? query->key : query->filter);
}

TEST(Where, means_what_the_cases_say) {
  std::ifstream file("tests/cli/where_cases.txt");
  ASSERT_TRUE(file.is_open());
  std::string condition;
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    if (!line.starts_with("  ")) {
      condition = line;
      continue;
    }
    std::string aspect = line.substr(2, line.find(' ', 2) - 2);
    if (aspect == "query") aspect = "query wrong";
    const std::string promised = line.substr(line.find_first_not_of(' ', 2 + aspect.size()));
    EXPECT_EQ(outcome(condition, aspect), promised) << condition;
    ++cases;
  }
  EXPECT_GT(cases, 30U);
}

TEST(Where, limits_its_depth_and_its_length) {
  const std::string deep = std::string(100, '(') + "a = 1" + std::string(100, ')');
  EXPECT_EQ(outcome(deep, "wrong"), "column 65: more than 64 levels of parentheses");
  EXPECT_EQ(outcome(std::string(70000, ' ') + "a = 1", "wrong"), "the text has 70005 bytes; at most 65536 are allowed");
}

TEST(Where, takes_base64_for_binary_keys) {
  const WhereKeys keys{.partition = {{"k", KeyType::kBinary}}, .sort = {}, .owner = "table \"t\""};
  EXPECT_EQ(rendered(Where::parse("k = 'AQI='")->query(keys)->key), "`k` = \"AQI=\"");
  EXPECT_EQ(Where::parse("k = 'x'")->query(keys).error().message(),
            "column 1: the key \"k\" has the type B; compare it with base64 in quotes");
}

TEST(Where, reads_lists_of_paths) {
  const Result<std::vector<Path>> paths = parse_where_paths("a, b.c[0], `x y`");
  ASSERT_TRUE(paths);
  EXPECT_EQ(paths->size(), 3U);
  EXPECT_EQ(parse_where_paths("a,").error().message(), "column 3: expected the name of an attribute, found the end");
  EXPECT_FALSE(parse_where_path("a,b"));
}

}  // namespace
}  // namespace dolmen::cli
