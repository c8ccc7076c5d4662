#include <gtest/gtest.h>

#include "base/test_result.h"
#include "service/explain.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

std::vector<std::string> warnings_of(const Explanation& explanation) {
  std::vector<std::string> kinds;
  for (const ReadWarning& warning : explanation.warnings) kinds.push_back(warning.kind);
  return kinds;
}

/// Notes by topic and number, with a local index that carries only keys and a global one that carries all.
class ExplainedReads : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(create_table(*service_, {.name = "notes",
                                         .partition_key = {"topic"},
                                         .sort_key = KeyAttribute{"number", KeyType::kNumber},
                                         .local_indexes = {{.name = "by-rank",
                                                            .partition_keys = {{"topic"}},
                                                            .sort_keys = {{"rank", KeyType::kNumber}},
                                                            .projection = ProjectionType::kKeysOnly}},
                                         .global_indexes = {{.name = "by-author", .partition_keys = {{"author"}}}}}),
                succeeds());
    for (int i = 0; i < 10; ++i)
      ASSERT_THAT(call(*service_, put("notes", {{"topic", "stones"},
                                                {"number", i},
                                                {"rank", 10 - i},
                                                {"author", "ada"},
                                                {"text", std::string(100, 'x')}})),
                  succeeds());
    for (const char* topic : {"a", "b", "c"})
      ASSERT_THAT(call(*service_, put("notes", {{"topic", topic}, {"number", 1}})), succeeds());
  }

  static ReadManyRequest query(std::string condition, Item values) {
    return {.table = "notes",
            .key_condition = Expression{std::move(condition)},
            .placeholders = {.values = std::move(values)}};
  }
  static Item key(const std::string& topic, int number) { return {{"topic", topic}, {"number", number}}; }

  std::unique_ptr<Service> service_ = open_engine();
};

TEST_F(ExplainedReads, say_what_a_query_reads) {
  const Explanation right = explain<Query>(*service_, query("topic = :t", {{":t", "stones"}})).value();
  EXPECT_EQ(right.operation, "Query");
  ASSERT_EQ(right.parts.size(), 1U);
  EXPECT_EQ(right.parts[0].table, "notes");
  EXPECT_EQ(right.parts[0].index, "");
  EXPECT_EQ(right.parts[0].partitions_read, 1U);
  EXPECT_EQ(right.parts[0].items_read, 10U);
  EXPECT_EQ(right.parts[0].items_returned, 10U);
  EXPECT_EQ(right.parts[0].bytes_read, right.parts[0].bytes_returned);
  EXPECT_GT(right.parts[0].bytes_read, 1000U);
  EXPECT_EQ(right.parts[0].capacity, 0.5);
  EXPECT_EQ(warnings_of(right), std::vector<std::string>{});
}

TEST_F(ExplainedReads, warn_of_a_filter_that_discards_most) {
  ReadManyRequest request = query("topic = :t", {{":t", "stones"}, {":r", 9}});
  request.filter = Expression{"#r > :r"};
  request.placeholders.names["#r"] = "rank";
  const Explanation explained = explain<Query>(*service_, request).value();
  EXPECT_EQ(explained.parts[0].items_returned, 1U);
  EXPECT_EQ(warnings_of(explained), std::vector<std::string>{"filter"});
}

TEST_F(ExplainedReads, warn_of_a_scan_and_of_the_partition_that_has_most) {
  const Explanation explained = explain<Scan>(*service_, {.table = "notes"}).value();
  EXPECT_EQ(explained.parts[0].partitions_read, 4U);
  EXPECT_EQ(warnings_of(explained), (std::vector<std::string>{"scan", "hot-partition"}));
  EXPECT_NE(explained.warnings[1].message.find(R"({"topic":{"S":"stones"}})"), std::string::npos);
}

TEST_F(ExplainedReads, warn_of_items_that_a_local_index_does_not_carry) {
  ReadManyRequest request = query("topic = :t", {{":t", "stones"}});
  request.index = "by-rank";
  EXPECT_EQ(warnings_of(explain<Query>(*service_, request).value()), std::vector<std::string>{});
  request.select = Select::kAllAttributes;
  const Explanation explained = explain<Query>(*service_, request).value();
  EXPECT_EQ(explained.parts[0].index, "by-rank");
  EXPECT_EQ(explained.parts[0].items_fetched, 10U);
  EXPECT_GT(explained.parts[0].bytes_fetched, explained.parts[0].bytes_read);
  EXPECT_EQ(explained.parts[0].capacity, 5.5);
  EXPECT_EQ(warnings_of(explained), std::vector<std::string>{"fetch"});
}

TEST_F(ExplainedReads, say_what_gets_read) {
  const Explanation one =
      explain<GetItem>(*service_, {.table = "notes", .key = encode_item(key("a", 1)), .consistent_read = true}).value();
  EXPECT_EQ(one.parts[0].items_read, 1U);
  EXPECT_EQ(one.parts[0].capacity, 1);
  const Explanation none = explain<GetItem>(*service_, {.table = "notes", .key = encode_item(key("none", 1))}).value();
  EXPECT_EQ(none.parts[0].items_read, 0U);
  EXPECT_EQ(none.parts[0].capacity, 0.5);
  BatchGetRequest batch{.tables = {{.table = "notes"}}};
  for (int i = 0; i < 3; ++i) batch.tables[0].keys.push_back(encode_item(key("stones", i)));
  batch.tables[0].keys.push_back(encode_item(key("a", 1)));
  const Explanation many = explain<BatchGetItem>(*service_, batch).value();
  EXPECT_EQ(many.parts[0].items_read, 4U);
  EXPECT_EQ(many.parts[0].partitions_read, 2U);
  EXPECT_EQ(many.parts[0].capacity, 2);
  TransactGetRequest together;
  together.gets = {{.table = "notes", .key = encode_item(key("a", 1)), .consistent_read = true}};
  EXPECT_EQ(explain<TransactGetItems>(*service_, together).value().parts[0].capacity, 2);
}

TEST_F(ExplainedReads, say_what_a_statement_reads) {
  const auto select = [&](std::string text, std::vector<AttributeValue> parameters = {}) {
    return explain<ExecuteStatement>(*service_,
                                     {.statement = {.text = std::move(text), .parameters = std::move(parameters)}});
  };
  const Explanation one = select("SELECT * FROM notes WHERE topic = ? AND number = ?", {"stones", 3}).value();
  EXPECT_EQ(one.operation, "ExecuteStatement");
  ASSERT_EQ(one.parts.size(), 1U);
  EXPECT_EQ(one.parts[0].items_read, 1U);
  EXPECT_EQ(warnings_of(one), std::vector<std::string>{});

  const Explanation several = select("SELECT number FROM notes WHERE topic IN ['a', 'b', 'stones']").value();
  ASSERT_EQ(several.parts.size(), 1U);
  EXPECT_EQ(several.parts[0].partitions_read, 3U);
  EXPECT_EQ(several.parts[0].items_returned, 12U);
  EXPECT_EQ(several.parts[0].capacity, 1.5);

  const Explanation index = select("SELECT * FROM notes.\"by-author\" WHERE author = 'ada' AND number > 8").value();
  EXPECT_EQ(index.parts[0].index, "by-author");
  EXPECT_EQ(warnings_of(index), std::vector<std::string>{"filter"});

  EXPECT_EQ(warnings_of(select("SELECT * FROM notes WHERE text = 'none'").value()),
            (std::vector<std::string>{"scan", "filter", "hot-partition"}));
}

TEST_F(ExplainedReads, say_what_statements_read_together) {
  const std::vector<StatementRequest> both{{.text = "SELECT * FROM notes WHERE topic = 'a' AND number = 1"},
                                           {.text = "SELECT * FROM notes WHERE topic = 'b' AND number = 1"}};
  const Explanation batch = explain<BatchExecuteStatement>(*service_, {.statements = both}).value();
  EXPECT_EQ(batch.operation, "BatchExecuteStatement");
  EXPECT_EQ(batch.parts[0].items_read, 2U);
  EXPECT_EQ(batch.parts[0].capacity, 1);
  const Explanation together = explain<ExecuteTransaction>(*service_, {.statements = both}).value();
  EXPECT_EQ(together.operation, "ExecuteTransaction");
  EXPECT_EQ(together.parts[0].items_read, 2U);
  EXPECT_EQ(together.parts[0].capacity, 4);
}

TEST_F(ExplainedReads, answer_as_reads_that_are_not) {
  ReadManyRequest request = query("topic = :t", {{":t", "stones"}});
  const std::vector<Item> plain = items_of(call(*service_, request));
  request.trace = std::make_shared<ReadTrace>();
  EXPECT_EQ(items_of(call(*service_, request)), plain);
}

TEST_F(ExplainedReads, fail_as_reads_do) {
  EXPECT_THAT(explain<Scan>(*service_, {.table = "none"}), fails_with(Code::kTableNotFound));
}

TEST_F(ExplainedReads, can_be_of_an_earlier_moment) {
  auto& moments = dynamic_cast<Moments&>(*service_);
  ReadManyRequest request = query("author = :a", {{":a", "ada"}});
  request.index = "by-author";
  request.as_of = moments.this_moment();
  ASSERT_THAT(call(*service_, put("notes", {{"topic", "late"}, {"number", 1}, {"author", "ada"}})), succeeds());
  EXPECT_EQ(call(*service_, request).value().count, 10U);
  request.as_of = nullptr;
  EXPECT_EQ(call(*service_, request).value().count, 11U);
}

}  // namespace
}  // namespace dolmen::engine
