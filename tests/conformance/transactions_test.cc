// TransactWriteItems and TransactGetItems.
#include "base/test_result.h"
#include "conformance.h"

namespace dolmen::conformance {
namespace {

using Transactions = StoreTest;

TEST_F(Transactions, do_every_kind_of_action_together) {
  put({{"p", "a"}, {"s", 1}, {"n", 1}});
  put({{"p", "a"}, {"s", 2}});
  put({{"p", "a"}, {"s", 3}, {"lock", "free"}});
  const auto done = store().transact_write(
      {UpdateAction{.table = table(), .key = {{"p", "a"}, {"s", 1}}, .update = Update{}.add(attr("n"), 5)},
       DeleteAction{.table = table(), .key = {{"p", "a"}, {"s", 2}}, .condition = attr("p").exists()},
       CheckAction{.table = table(), .key = {{"p", "a"}, {"s", 3}}, .condition = attr("lock") == "free"},
       PutAction{.table = table(), .item = {{"p", "b"}, {"s", 1}}, .condition = attr("p").not_exists()}});
  ASSERT_THAT(done, succeeds());
  EXPECT_EQ(get({{"p", "a"}, {"s", 1}})->at("n"), 6);
  EXPECT_EQ(get({{"p", "a"}, {"s", 2}}), std::nullopt);
  EXPECT_NE(get({{"p", "b"}, {"s", 1}}), std::nullopt);
}

TEST_F(Transactions, leave_no_trace_when_one_condition_fails) {
  put({{"p", "a"}, {"s", 1}, {"n", 1}});
  const auto canceled = store().transact_write(
      {PutAction{.table = table(), .item = {{"p", "b"}, {"s", 1}}}, UpdateAction{.table = table(),
                                                                                 .key = {{"p", "a"}, {"s", 1}},
                                                                                 .update = Update{}.set(attr("n"), 9),
                                                                                 .condition = attr("n") == 5,
                                                                                 .return_item_on_failure = true}});
  ASSERT_FALSE(canceled.has_value());
  EXPECT_THAT(canceled, fails_with(Code::kTransactionCanceled));
  const std::vector<TransactFailure> failures = transact_failures(canceled.error());
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0].reason, "None");
  EXPECT_EQ(failures[1].reason, "ConditionalCheckFailed");
  EXPECT_EQ(failures[1].item, (Item{{"p", "a"}, {"s", 1}, {"n", 1}}));
  EXPECT_EQ(get({{"p", "b"}, {"s", 1}}), std::nullopt);
  EXPECT_EQ(get({{"p", "a"}, {"s", 1}})->at("n"), 1);
}

TEST_F(Transactions, with_one_token_happen_once) {
  const std::vector<TransactAction> add{
      UpdateAction{.table = table(), .key = {{"p", "a"}, {"s", 1}}, .update = Update{}.add(attr("n"), 1)}};
  const std::string token = fresh_name("token");
  for (int i = 0; i < 3; ++i) {
    const auto done = store().transact_write(add, {.client_token = token});
    ASSERT_THAT(done, succeeds());
  }
  EXPECT_EQ(get({{"p", "a"}, {"s", 1}})->at("n"), 1);
  const auto other = store().transact_write(
      {UpdateAction{.table = table(), .key = {{"p", "a"}, {"s", 1}}, .update = Update{}.add(attr("n"), 2)}},
      {.client_token = token});
  EXPECT_THAT(other, fails_with(Code::kIdempotencyMismatch));
}

TEST_F(Transactions, read_items_in_the_order_of_the_request) {
  put({{"p", "a"}, {"s", 1}, {"n", 1}, {"m", 1}});
  const auto found =
      store().transact_get({{.table = table(), .key = {{"p", "x"}, {"s", 1}}},
                            {.table = table(), .key = {{"p", "a"}, {"s", 1}}, .projection = {attr("n")}}});
  ASSERT_THAT(found, succeeds());
  ASSERT_EQ(found->items.size(), 2U);
  EXPECT_EQ(found->items[0], std::nullopt);
  EXPECT_EQ(found->items[1], (Item{{"n", 1}}));
}

TEST_F(Transactions, that_name_an_item_twice_or_are_too_large_are_refused) {
  const PutAction put_one{.table = table(), .item = {{"p", "a"}, {"s", 1}}};
  EXPECT_THAT(store().transact_write({put_one, put_one}), fails_with(Code::kValidation));
  EXPECT_THAT(store().transact_write({}), fails_with(Code::kValidation));
  std::vector<TransactAction> many;
  for (int i = 0; i < 101; ++i) many.emplace_back(PutAction{.table = table(), .item = {{"p", "a"}, {"s", i}}});
  EXPECT_THAT(store().transact_write(many), fails_with(Code::kValidation));
  EXPECT_EQ(store().scan(table()).all().value().size(), 0U);
}

TEST_F(Transactions, without_a_table_are_refused) {
  EXPECT_THAT(store().transact_write({PutAction{.table = "no-such-table", .item = {{"p", "a"}}}}),
              fails_with(Code::kTableNotFound));
}

}  // namespace
}  // namespace dolmen::conformance
