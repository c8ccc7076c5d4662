#include "cli/table_exam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dolmen::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kNow = 1'800'000'000;

TableDefinition notes() {
  return {
      .name = "notes", .partition_key = {"topic", KeyType::kString}, .sort_key = KeyAttribute{"n", KeyType::kNumber}};
}

std::vector<std::string> kinds(const std::vector<Finding>& findings) {
  std::vector<std::string> kinds;
  for (const Finding& finding : findings) kinds.push_back(finding.kind);
  return kinds;
}

TEST(TableExam, finds_items_near_the_limit_and_names_the_largest) {
  const TableDefinition table = notes();
  TableExam exam(table, {});
  exam.look_at({{"topic", "a"}, {"n", 1}, {"text", std::string(330'000, 'x')}});
  exam.look_at({{"topic", "b"}, {"n", 2}, {"text", std::string(390'000, 'x')}});
  exam.look_at({{"topic", "c"}, {"n", 3}, {"text", "small"}});
  const std::vector<Finding> findings = exam.findings();
  ASSERT_THAT(kinds(findings), ElementsAre("large-item"));
  EXPECT_EQ(findings.front().example, R"({"n":2,"topic":"b"})");
}

TEST(TableExam, finds_times_to_live_that_never_end) {
  const TableDefinition table = notes();
  TableExam exam(table, {.ttl = "expires", .now_seconds = kNow});
  exam.look_at({{"topic", "a"}, {"n", 1}, {"expires", kNow + 60}});
  EXPECT_THAT(exam.findings(), IsEmpty());
  exam.look_at({{"topic", "a"}, {"n", 2}, {"expires", kNow * 1000}});
  exam.look_at({{"topic", "a"}, {"n", 3}, {"expires", "tomorrow"}});
  exam.look_at({{"topic", "a"}, {"n", 4}, {"expires", 1000}});
  EXPECT_THAT(kinds(exam.findings()), ElementsAre("ttl-milliseconds", "ttl-type", "ttl-past"));
}

TEST(TableExam, finds_a_partition_that_has_most_items) {
  const TableDefinition table = notes();
  TableExam even(table, {});
  TableExam uneven(table, {});
  for (std::int64_t i = 0; i < 2000; ++i) {
    even.look_at({{"topic", "topic " + std::to_string(i / 10)}, {"n", i}});
    uneven.look_at({{"topic", i < 1000 ? "hot" : "topic " + std::to_string(i)}, {"n", i}});
  }
  EXPECT_THAT(even.findings(), IsEmpty());
  EXPECT_THAT(kinds(uneven.findings()), ElementsAre("one-partition"));
}

TEST(TableExam, finds_shards_that_are_uneven) {
  const TableDefinition table = notes();
  TableExam even(table, {});
  TableExam uneven(table, {});
  for (std::int64_t shard = 0; shard < 8; ++shard)
    for (std::int64_t i = 0; i < (shard == 3 ? 400 : 50); ++i) {
      if (i < 50) even.look_at({{"topic", "user!" + std::to_string(shard)}, {"n", i}});
      uneven.look_at({{"topic", "user!" + std::to_string(shard)}, {"n", i}});
    }
  EXPECT_THAT(even.findings(), IsEmpty());
  const std::vector<Finding> findings = uneven.findings();
  ASSERT_THAT(kinds(findings), ElementsAre("skewed-shards"));
  EXPECT_EQ(findings.front().example, "user!3");
}

TEST(TableExam, finds_indexes_with_few_values) {
  TableDefinition table = notes();
  table.global_indexes = {{.name = "by-status", .partition_keys = {{"status", KeyType::kString}}}};
  TableExam exam(table, {});
  for (std::int64_t i = 0; i < 2000; ++i)
    exam.look_at({{"topic", std::to_string(i)}, {"n", i}, {"status", i % 2 == 0 ? "open" : "closed"}});
  EXPECT_THAT(kinds(exam.findings()), ElementsAre("few-values"));
}

TEST(DefinitionFindings, name_empty_indexes_and_twins) {
  TableDescription table{.definition = notes()};
  const KeyAttribute author{"author", KeyType::kString};
  table.definition.global_indexes = {{.name = "one", .partition_keys = {author}},
                                     {.name = "two", .partition_keys = {author}}};
  table.global_index_states = {{.extent = {.item_count = 5}}, {.extent = {.item_count = 0}}};
  table.extent.item_count = 5;
  EXPECT_THAT(kinds(definition_findings(table)), ElementsAre("unused-index", "twin-index"));
  table.extent.item_count = 0;
  EXPECT_THAT(kinds(definition_findings(table)), ElementsAre("twin-index"));
}

TEST(UseFindings, name_keys_with_a_fifth_of_the_uses) {
  EXPECT_THAT(use_findings({.total = 50, .count_by_key = {{"a", 49}, {"b", 1}}}, "changes"), IsEmpty());
  EXPECT_THAT(kinds(use_findings({.total = 1000, .count_by_key = {{"a", 700}, {"b", 100}, {"c", 200}}}, "changes")),
              ElementsAre("hot-key", "hot-key"));
}

}  // namespace
}  // namespace dolmen::cli
