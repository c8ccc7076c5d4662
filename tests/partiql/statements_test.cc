#include <gtest/gtest.h>
#include <memory>

#include "base/test_result.h"
#include "dolmen/open.h"
#include "dolmen/store.h"

namespace dolmen {
namespace {

class Statements : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(store->create_table({.name = "notes",
                                     .partition_key = {"topic", KeyType::kString},
                                     .sort_key = KeyAttribute{"written", KeyType::kNumber}}),
                succeeds());
    for (int i = 1; i <= 5; ++i)
      ASSERT_THAT(store->execute("INSERT INTO notes VALUE {'topic': ?, 'written': ?, 'text': ?}",
                                 {"dolmen", i, "note " + std::to_string(i)}),
                  succeeds());
  }

  std::unique_ptr<Store> store = open("memory:").value();
};

TEST_F(Statements, return_rows_over_all_pages) {
  const auto rows =
      store->execute("SELECT written FROM notes WHERE topic = ? AND written > ?", {"dolmen", 1}, {.page_size = 2});
  ASSERT_THAT(rows, succeeds());
  EXPECT_EQ(*rows, (std::vector<Item>{{{"written", 2}}, {{"written", 3}}, {{"written", 4}}, {{"written", 5}}}));
  EXPECT_EQ(store->execute("SELECT * FROM notes", {}, {.limit = 3}).value().size(), 3U);
}

TEST_F(Statements, are_read_row_by_row) {
  int seen = 0;
  for (const Result<Item>& row : store->select("SELECT * FROM notes WHERE topic = 'dolmen'", {}, {.page_size = 1})) {
    ASSERT_THAT(row, succeeds());
    EXPECT_EQ(row->at("written").number(), Number(++seen));
  }
  EXPECT_EQ(seen, 5);
  for (const Result<Item>& row : store->select("SELECT * FROM")) EXPECT_THAT(row, fails_with(Code::kValidation));
}

TEST_F(Statements, are_read_page_by_page) {
  const StatementPage first = store->execute_page("SELECT * FROM notes", {}, {.page_size = 2}).value();
  EXPECT_EQ(first.items.size(), 2U);
  ASSERT_TRUE(first.next_token.has_value());
  const StatementPage second =
      store->execute_page("SELECT * FROM notes", {}, {.page_size = 9, .next_token = first.next_token}).value();
  EXPECT_EQ(second.items.size(), 3U);
  EXPECT_FALSE(second.next_token.has_value());
  EXPECT_THAT(store->execute_page("SELECT * FROM notes ", {}, {.next_token = first.next_token}),
              fails_with(Code::kValidation, "NextToken does not match request"));
}

TEST_F(Statements, fail_with_the_codes_of_what_happened) {
  EXPECT_THAT(store->execute("INSERT INTO notes VALUE {'topic': 'dolmen', 'written': 1}"),
              fails_with(Code::kDuplicateItem, "Duplicate primary key exists in table"));
  EXPECT_THAT(store->execute("UPDATE notes SET n = 1 WHERE topic = 'none' AND written = 1"),
              fails_with(Code::kConditionFailed));
  EXPECT_THAT(store->execute("SELECT * FROM nowhere"), fails_with(Code::kTableNotFound));
  EXPECT_THAT(store->execute("SELECT * FROM \"dolmen:documents\""), fails_with(Code::kValidation));
  EXPECT_THAT(store->execute(std::string(8193, ' ')), fails_with(Code::kValidation));
  EXPECT_THAT(store->execute("SELECT * FROM notes WHERE topic = ?", {StringSet{}}), fails_with(Code::kValidation));
  const auto refused = store->execute("DELETE FROM notes WHERE topic = 'dolmen' AND written = 1 AND \"text\" = 'other'",
                                      {}, {.return_item_on_failure = true});
  ASSERT_THAT(refused, fails_with(Code::kConditionFailed));
  EXPECT_EQ(failed_item(refused.error())->at("text").string(), "note 1");
}

TEST_F(Statements, of_a_batch_have_outcomes_of_their_own) {
  const BatchExecuteResult batch =
      store
          ->batch_execute(
              {{.text = "UPDATE notes SET n = ? WHERE topic = 'dolmen' AND written = 1 RETURNING MODIFIED NEW *",
                .parameters = {7}},
               {.text = "INSERT INTO notes VALUE {'topic': 'dolmen', 'written': 2}"},
               {.text = "DELETE FROM notes WHERE topic = 'dolmen' AND written = 3"}})
          .value();
  ASSERT_EQ(batch.outcomes.size(), 3U);
  EXPECT_EQ(*batch.outcomes[0], (Item{{"n", 7}}));
  EXPECT_THAT(batch.outcomes[1], fails_with(Code::kDuplicateItem));
  EXPECT_EQ(*batch.outcomes[2], std::nullopt);
}

TEST_F(Statements, of_a_transaction_happen_together_or_not_at_all) {
  const std::vector<StatementCall> move{
      {.text = "EXISTS(SELECT * FROM notes WHERE topic = 'dolmen' AND written = 5 AND n IS MISSING)"},
      {.text = "DELETE FROM notes WHERE topic = 'dolmen' AND written = 1"},
      {.text = "INSERT INTO notes VALUE {'topic': 'moved', 'written': 1}"}};
  EXPECT_THAT(store->transact_execute(move, {.client_token = "move"}), succeeds());
  EXPECT_THAT(store->transact_execute(move, {.client_token = "move"}), succeeds());
  const auto again = store->transact_execute(move);
  ASSERT_THAT(again, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(transact_failures(again.error())[2].reason, "DuplicateItem");
  const TransactExecuteResult read =
      store
          ->transact_execute({{.text = "SELECT written FROM notes WHERE topic = 'moved' AND written = 1"},
                              {.text = "SELECT * FROM notes WHERE topic = 'dolmen' AND written = 1"}})
          .value();
  EXPECT_EQ(read.items, (std::vector<std::optional<Item>>{Item{{"written", 1}}, std::nullopt}));
}

TEST_F(Statements, of_which_two_reads_overlap_return_a_row_once) {
  const auto rows = store->execute(
      "SELECT written FROM notes WHERE topic = 'dolmen' AND written <> 2 OR topic = 'dolmen' AND written > 3");
  EXPECT_EQ(rows.value().size(), 4U);
}

}  // namespace
}  // namespace dolmen
