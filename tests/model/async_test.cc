#include <gtest/gtest.h>

#include "dolmen/coroutine.h"
#include "dolmen/model/table.h"
#include "dolmen/model/transaction.h"
#include "parcels.h"

// What models have like the store below them: calls that do not wait, loops, and reads of one moment.
namespace dolmen {
namespace {

/// What an `async_` call gives.
template <class T>
Result<T> outcome(std::move_only_function<void(Callback<T>)> start) {
  const auto run = [](std::move_only_function<void(Callback<T>)> call) -> Task<Result<T>> {
    co_return co_await awaitable<T>([&](Callback<T> done) { call(std::move(done)); });
  };
  return sync_wait(run(std::move(start)));
}

const LogicalItem kFirst{{"pk", "P"}, {"sk", 0}};

TEST(AsyncModel, does_what_the_calls_that_wait_do) {
  Parcels parcels;
  ModelTable& table = parcels.table;
  const auto create = [&] { return outcome<void>([&](auto done) { table.async_create(kFirst, std::move(done)); }); };
  EXPECT_EQ(error_name(create()), "ok");
  EXPECT_EQ(error_name(create()), "ErrConditionFailed");
  EXPECT_EQ(error_name(outcome<void>([&](auto done) { table.async_put({{"pk", "P"}}, {}, std::move(done)); })),
            "ErrMissingPrimaryKey");
  LogicalItem item = outcome<LogicalItem>([&](auto done) { table.async_get(kFirst, {}, std::move(done)); }).value();
  item["status"] = "sent";
  const auto update = [&] {
    return outcome<void>([&](auto done) { table.async_update(item, {"status"}, std::move(done)); });
  };
  EXPECT_EQ(error_name(update()), "ok");
  EXPECT_EQ(error_name(update()), "ErrConditionFailed");
  const Result<LogicalItem> changed = outcome<LogicalItem>([&](auto done) {
    table.async_change(kFirst, FieldUpdate{}.add("weight", 2), {.return_values = ReturnValues::kAllNew},
                       std::move(done));
  });
  EXPECT_EQ(changed->at("weight"), LogicalValue(2));
  EXPECT_EQ(changed->at("version"), LogicalValue(2));
  EXPECT_EQ(error_name(outcome<void>([&](auto done) { table.async_upsert(kFirst, std::move(done)); })), "ok");
  const Result<ModelPage> page =
      outcome<ModelPage>([&](auto done) { table.query().partition("P").async_page(std::move(done)); });
  EXPECT_EQ(page->items.size(), 1U);
  EXPECT_EQ(error_name(outcome<ModelPage>([&](auto done) { table.query().async_page(std::move(done)); })),
            "ErrInvalidOperator");
  EXPECT_EQ(outcome<ModelPage>([&](auto done) { table.scan().async_page(std::move(done)); })->items, page->items);
  EXPECT_EQ(error_name(outcome<void>(
                [&](auto done) { table.async_remove(kFirst, {.expected_version = 0}, std::move(done)); })),
            "ErrConditionFailed");
  EXPECT_EQ(error_name(outcome<void>([&](auto done) { table.async_remove(kFirst, {}, std::move(done)); })), "ok");
  EXPECT_EQ(error_name(outcome<LogicalItem>([&](auto done) { table.async_get(kFirst, {}, std::move(done)); })),
            "ErrItemNotFound");
}

TEST(AsyncModel, commits_transactions) {
  Parcels parcels;
  const auto commit = [&] {
    ModelTransaction transaction(*parcels.store);
    transaction.create(parcels.table, kFirst);
    return outcome<void>([&](auto done) { transaction.async_commit(std::move(done)); });
  };
  EXPECT_EQ(error_name(commit()), "ok");
  const Result<void> again = commit();
  EXPECT_EQ(error_name(again), "ErrConditionFailed");
  ASSERT_NE(again.error().payload<TransactionFailure>(), nullptr);
  ModelTransaction nothing(*parcels.store);
  EXPECT_EQ(error_name(outcome<void>([&](auto done) { nothing.async_commit(std::move(done)); })), "ErrInvalidOperator");
}

TEST(TransactGet, gives_the_items_of_one_moment_in_the_order_of_the_keys) {
  Parcels parcels;
  for (int i = 0; i < 3; ++i) parcels.table.put({{"pk", "P"}, {"sk", i}, {"status", "s"}}).value();
  const std::vector<LogicalItem> keys{{{"pk", "P"}, {"sk", 2}}, {{"pk", "P"}, {"sk", 9}}, {{"pk", "P"}, {"sk", 0}}};
  const auto found = parcels.table.transact_get(keys).value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0]->at("sk"), LogicalValue(2));
  EXPECT_EQ(found[1], std::nullopt);
  EXPECT_EQ(found[2]->at("status"), LogicalValue("s"));
  EXPECT_EQ(outcome<std::vector<std::optional<LogicalItem>>>([&](auto done) {
              parcels.table.async_transact_get(keys, std::move(done));
            }).value(),
            found);
  EXPECT_EQ(error_name(parcels.table.transact_get({})), "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.transact_get(std::vector<LogicalItem>(101, kFirst))), "ErrInvalidOperator");
  EXPECT_EQ(error_name(parcels.table.transact_get({{{"pk", "P"}}})), "ErrMissingPrimaryKey");
}

struct Small {
  std::string pk;
  int number = 0;
  std::string note;
  std::int64_t version = 0;
  friend bool operator==(const Small&, const Small&) = default;
};
DOLMEN_RECORD(Small, pk, (number, "sk"), note, version);

TEST(AsyncRecords, come_back_with_what_the_library_has_filled_in) {
  Parcels parcels;
  Table<Small> table = Table<Small>::open(*parcels.store, parcel_model()).value();
  Small small = outcome<Small>([&](auto done) {
                  table.async_create({.pk = "P", .number = 1, .version = 7}, std::move(done));
                }).value();
  EXPECT_EQ(small.version, 7);
  small.note = "sent";
  const Small updated =
      outcome<Small>([&](auto done) { table.async_update(small, {&Small::note}, std::move(done)); }).value();
  EXPECT_EQ(updated.version, 8);
  EXPECT_EQ(error_name(outcome<Small>([&](auto done) { table.async_update(small, {&Small::note}, std::move(done)); })),
            "ErrConditionFailed");
  EXPECT_EQ(outcome<Small>([&](auto done) { table.async_get({"P", 1}, {}, std::move(done)); }).value(), updated);
  EXPECT_EQ(outcome<Small>([&](auto done) { table.async_upsert(updated, std::move(done)); })->version, 9);
  EXPECT_EQ(outcome<Small>([&](auto done) { table.async_put({.pk = "P", .number = 2}, {}, std::move(done)); })->version,
            0);
  const auto found = table.transact_get({{"P", 2}, {"P", 3}}).value();
  EXPECT_EQ(found, (std::vector<std::optional<Small>>{Small{.pk = "P", .number = 2}, std::nullopt}));
  EXPECT_EQ(outcome<std::vector<std::optional<Small>>>([&](auto done) {
              table.async_transact_get({{"P", 2}, {"P", 3}}, std::move(done));
            }).value(),
            found);
  EXPECT_EQ(outcome<PageOf<Small>>([&](auto done) {
              table.query().partition("P").async_page(std::move(done));
            })->items.size(),
            2U);
  EXPECT_EQ(error_name(outcome<void>([&](auto done) { table.async_remove(*found[0], std::move(done)); })), "ok");
}

TEST(Ranges, of_models_are_looped_over_like_those_of_the_store) {
  Parcels parcels;
  for (int i = 0; i < 5; ++i) parcels.table.put({{"pk", "P"}, {"sk", i}}).value();
  int next = 0;
  for (const Result<LogicalItem>& item : parcels.table.query().partition("P").page_size(2).each())
    EXPECT_EQ(item.value().at("sk"), LogicalValue(next++));
  EXPECT_EQ(next, 5);
  std::vector<std::string> mistakes;
  for (const Result<LogicalItem>& item : parcels.table.query().each()) mistakes.push_back(error_name(item));
  EXPECT_EQ(mistakes, std::vector<std::string>{"ErrInvalidOperator"});
}

}  // namespace
}  // namespace dolmen
