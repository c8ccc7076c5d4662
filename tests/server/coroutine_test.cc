#include "dolmen/coroutine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/dolmen.h"
#include "server/server.h"

namespace dolmen {
namespace {

Task<Result<GetResult>> get(Store& store, int id) {
  co_return co_await awaitable<GetResult>(
      [&](Callback<GetResult> done) { store.async_get_item("notes", {{"id", id}}, {}, std::move(done)); });
}

/// Counts up from what is there, one step after the other.
Task<Result<Number>> count_up(Store& store, int steps) {
  Number sum = 0;
  for (int i = 0; i < steps; ++i) {
    const Result<WriteResult> written = co_await awaitable<WriteResult>([&](Callback<WriteResult> done) {
      store.async_update_item({.table = "notes", .key = {{"id", 1}}, .update = Update{}.add(attr("n"), 1)},
                              {.return_values = ReturnValues::kUpdatedNew}, std::move(done));
    });
    if (!written) co_return std::unexpected(written.error());
    const Result<GetResult> read = co_await get(store, 1);
    if (!read) co_return std::unexpected(read.error());
    sum = read->item->at("n").number();
  }
  co_return sum;
}

class Coroutine : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    ASSERT_THAT(store_->create_table({.name = "notes", .partition_key = {"id", KeyType::kNumber}}), succeeds());
  }

  std::unique_ptr<Server> server_ =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  /// The callbacks of an embedded store in memory come before the call returns, those of a remote one later.
  std::unique_ptr<Store> store_ =
      open(GetParam() ? fmt::format("http://127.0.0.1:{}", server_->port()) : "memory:").value();
};

TEST_P(Coroutine, awaits_one_call_after_another) { EXPECT_EQ(sync_wait(count_up(*store_, 50)).value(), Number(50)); }

TEST_P(Coroutine, gets_the_error_of_a_call) {
  ASSERT_THAT(store_->delete_table("notes"), succeeds());
  EXPECT_THAT(sync_wait(get(*store_, 1)), fails_with(Code::kTableNotFound));
}

INSTANTIATE_TEST_SUITE_P(Stores, Coroutine, testing::Bool(),
                         [](const auto& store) { return store.param ? "remote" : "embedded"; });

}  // namespace
}  // namespace dolmen
