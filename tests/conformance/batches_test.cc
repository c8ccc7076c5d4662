// BatchGetItem and BatchWriteItem.
#include "base/test_result.h"
#include "conformance.h"

namespace dolmen::conformance {
namespace {

using Batches = StoreTest;

TEST_F(Batches, write_and_get_items_of_several_tables) {
  const std::string other = make_table({.partition_key = {"id", KeyType::kString}});
  const auto written =
      store().batch_write({BatchPut{table(), {{"p", "a"}, {"s", 1}, {"n", 1}}}, BatchPut{other, {{"id", "x"}}},
                           BatchPut{table(), {{"p", "a"}, {"s", 2}, {"n", 2}}}});
  ASSERT_TRUE(written.has_value()) << written.error().message();
  EXPECT_TRUE(written->unprocessed.empty());
  const auto found =
      store().batch_get({{.table = table(),
                          .keys = {{{"p", "a"}, {"s", 1}}, {{"p", "a"}, {"s", 2}}, {{"p", "a"}, {"s", 3}}},
                          .projection = {attr("n")}},
                         {.table = other, .keys = {{{"id", "x"}}, {{"id", "y"}}}}});
  ASSERT_THAT(found, succeeds());
  EXPECT_EQ(found->items.at(table()).size(), 2U);
  for (const Item& item : found->items.at(table())) EXPECT_EQ(item.size(), 1U);
  EXPECT_EQ(found->items.at(other), std::vector{(Item{{"id", "x"}})});
  EXPECT_TRUE(found->unprocessed.empty());
}

TEST_F(Batches, delete) {
  put_range("a", 1, 3);
  const auto written =
      store().batch_write({BatchDelete{table(), {{"p", "a"}, {"s", 2}}}, BatchDelete{table(), {{"p", "a"}, {"s", 9}}}});
  ASSERT_TRUE(written.has_value()) << written.error().message();
  EXPECT_EQ(sorts_of(store().query(table(), {.key = key("p") == "a"}).all().value()), (std::vector{1, 3}));
}

TEST_F(Batches, of_any_size_are_split) {
  std::vector<BatchAction> actions;
  std::vector<Item> keys;
  for (int i = 0; i < 130; ++i) {
    keys.push_back({{"p", "a"}, {"s", i}});
    actions.emplace_back(BatchPut{table(), {{"p", "a"}, {"s", i}, {"n", i}}});
  }
  const WriteAllResult written = write_all(store(), actions);
  EXPECT_TRUE(written.complete());
  EXPECT_EQ(written.done, 130U);
  const GetAllResult found = get_all(store(), {{.table = table(), .keys = keys}});
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.items.at(table()).size(), 130U);
}

TEST_F(Batches, report_what_could_not_be_done) {
  std::vector<BatchAction> actions;
  for (int i = 0; i < 30; ++i) actions.emplace_back(BatchPut{table(), {{"p", "a"}, {"s", i}}});
  actions.emplace_back(BatchPut{table(), {{"p", "a"}, {"s", "no number"}}});
  const WriteAllResult written = write_all(store(), actions);
  EXPECT_EQ(written.done, 25U);
  EXPECT_EQ(written.not_done.size(), 6U);
  EXPECT_EQ(written.not_done.back(), actions.back());
  ASSERT_TRUE(written.error.has_value());
  EXPECT_EQ(written.error->code(), Code::kValidation);
}

TEST_F(Batches, that_are_too_large_or_repeat_a_key_are_refused) {
  std::vector<BatchAction> many;
  std::vector<Item> keys;
  for (int i = 0; i < 101; ++i) {
    if (i < 26) many.emplace_back(BatchPut{table(), {{"p", "a"}, {"s", i}}});
    keys.push_back({{"p", "a"}, {"s", i}});
  }
  EXPECT_THAT(store().batch_write(many), fails_with(Code::kValidation));
  EXPECT_THAT(store().batch_get({{.table = table(), .keys = keys}}), fails_with(Code::kValidation));
  EXPECT_THAT(store().batch_get({{.table = table(), .keys = {keys[0], keys[0]}}}), fails_with(Code::kValidation));
  EXPECT_THAT(store().batch_write({many[0], many[0]}), fails_with(Code::kValidation));
  EXPECT_THAT(store().batch_write({}), fails_with(Code::kValidation));
  EXPECT_EQ(store().scan(table()).all().value().size(), 0U);
}

}  // namespace
}  // namespace dolmen::conformance
