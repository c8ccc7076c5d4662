#include <atomic>
#include <gtest/gtest.h>
#include <random>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "test_engine.h"
#include "tests/storage/test_support.h"

namespace dolmen::engine {
namespace {

constexpr int kThreads = 6;
constexpr int kAccounts = 5;
constexpr int kBalance = 100;
constexpr int kTotal = kAccounts * kBalance;

/// Accounts of one bank, with an index that carries nothing but keys.
class ConcurrentTransactions : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(create_table(*service_, {.name = "accounts",
                                         .partition_key = {"bank"},
                                         .sort_key = KeyAttribute{"number", KeyType::kNumber},
                                         .local_indexes = {{.name = "by-balance",
                                                            .partition_keys = {{"bank"}},
                                                            .sort_keys = {{"balance", KeyType::kNumber}},
                                                            .projection = ProjectionType::kKeysOnly}}}),
                succeeds());
    for (int i = 0; i < kAccounts; ++i) {
      Item account = key(i);
      account.set("balance", kBalance);
      account.set("copy", kBalance);
      ASSERT_THAT(call(*service_, put("accounts", account)), succeeds());
    }
  }

  static Item key(int number) { return {{"bank", "b"}, {"number", number}}; }

  static WriteRequest change(int number, int amount) {
    return update("accounts", key(number), "SET balance = balance + :a, #c = #c + :a", {{":a", amount}});
  }

  /// Takes from one account, unless it has too little, and gives to another.
  Result<TransactWriteResponse> transfer(int from, int to, int amount) {
    TransactWriteRequest request;
    request.writes = {change(from, -amount), change(to, amount)};
    request.writes[0].condition = Expression{"balance >= :least"};
    request.writes[0].placeholders.values.set(":least", amount);
    for (WriteRequest& write : request.writes) write.placeholders.names["#c"] = "copy";
    return call(*service_, std::move(request));
  }

  std::int64_t total_by_transaction() {
    TransactGetRequest request;
    for (int i = 0; i < kAccounts; ++i) request.gets.push_back({.table = "accounts", .key = encode_item(key(i))});
    const TransactGetResponse response = call(*service_, request).value();
    std::int64_t total = 0;
    for (const auto& item : response.items) total += number_in(decode_item(item.value().bytes).value(), "balance");
    return total;
  }

  std::int64_t total_by_query(const std::optional<std::string>& index) {
    ReadManyRequest request{.table = "accounts",
                            .index = index,
                            .key_condition = Expression{"bank = :b"},
                            .placeholders = {.values = {{":b", "b"}}},
                            .select = Select::kAllAttributes};
    std::int64_t total = 0;
    for (const Item& item : items_of(call(*service_, request))) total += number_in(item, "copy");
    return total;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Service> service_ = open_engine(directory_.path());
};

TEST_F(ConcurrentTransactions, are_never_seen_half_done) {
  const std::uint64_t seed = test_seed("transfers");
  std::atomic<int> unexpected = 0;
  std::atomic<int> half_seen = 0;
  std::atomic<int> writers = kThreads;
  at_once(kThreads + 3, [&](int thread) {
    if (thread >= kThreads) {
      do {
        const std::int64_t total = thread == kThreads       ? total_by_transaction()
                                   : thread == kThreads + 1 ? total_by_query(std::nullopt)
                                                            : total_by_query("by-balance");
        if (total != kTotal) ++half_seen;
      } while (writers > 0);
      return;
    }
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(thread));
    for (int i = 0; i < 60; ++i) {
      const int from = static_cast<int>(random() % kAccounts);
      const int to = (from + 1 + static_cast<int>(random() % (kAccounts - 1))) % kAccounts;
      const auto done = transfer(from, to, static_cast<int>(1 + random() % 60));
      if (!done && done.error().code() != Code::kTransactionCanceled) ++unexpected;
    }
    --writers;
  });
  EXPECT_EQ(unexpected, 0);
  EXPECT_EQ(half_seen, 0);
  EXPECT_EQ(total_by_transaction(), kTotal);
  EXPECT_EQ(total_by_query("by-balance"), kTotal);
}

TEST_F(ConcurrentTransactions, on_the_same_items_in_any_order_wait_for_each_other_and_all_succeed) {
  std::atomic<int> failures = 0;
  at_once(kThreads, [&](int thread) {
    for (int i = 0; i < 40; ++i) {
      TransactWriteRequest request;
      for (int n = 0; n < kAccounts; ++n) {
        const int number = thread % 2 == 0 ? n : kAccounts - 1 - n;
        request.writes.push_back(update("accounts", key((number + i) % kAccounts), "ADD touched :one", {{":one", 1}}));
      }
      if (!call(*service_, std::move(request))) ++failures;
      if (!call(*service_, update("accounts", key(i % kAccounts), "ADD alone :one", {{":one", 1}}))) ++failures;
    }
  });
  EXPECT_EQ(failures, 0);
  for (int n = 0; n < kAccounts; ++n) {
    EXPECT_EQ(number_in(item_at(*service_, "accounts", key(n)), "touched"), kThreads * 40);
    EXPECT_EQ(number_in(item_at(*service_, "accounts", key(n)), "alone"), kThreads * 40 / kAccounts);
  }
}

TEST_F(ConcurrentTransactions, with_one_token_happen_once) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> successes = 0;
    at_once(kThreads, [&](int) {
      TransactWriteRequest request{.client_token = "token-" + std::to_string(round)};
      request.writes = {update("accounts", key(0), "ADD sent :one", {{":one", 1}}),
                        update("accounts", key(1), "ADD sent :one", {{":one", 1}})};
      if (call(*service_, std::move(request))) ++successes;
    });
    EXPECT_EQ(successes, kThreads);
    EXPECT_EQ(number_in(item_at(*service_, "accounts", key(0)), "sent"), round + 1);
    EXPECT_EQ(number_in(item_at(*service_, "accounts", key(1)), "sent"), round + 1);
  }
}

TEST_F(ConcurrentTransactions, with_one_token_for_different_requests_let_one_of_them_happen) {
  std::atomic<int> successes = 0;
  std::atomic<int> mismatches = 0;
  at_once(kThreads, [&](int thread) {
    TransactWriteRequest request{.client_token = "shared"};
    request.writes = {update("accounts", key(0), "ADD sent :n", {{":n", thread + 1}})};
    const auto done = call(*service_, std::move(request));
    if (done) ++successes;
    if (!done && done.error().code() == Code::kIdempotencyMismatch) ++mismatches;
  });
  EXPECT_EQ(successes, 1);
  EXPECT_EQ(mismatches, kThreads - 1);
}

TEST_F(ConcurrentTransactions, that_guard_an_item_never_let_its_guard_be_broken) {
  // One side writes the item only while the flag is down, the other raises the flag only while the item is absent.
  for (int round = 0; round < 30; ++round) {
    const Item flag{{"bank", "flags"}, {"number", round}};
    const Item guarded{{"bank", "guarded"}, {"number", round}};
    std::atomic<int> successes = 0;
    at_once(2, [&](int side) {
      TransactWriteRequest request;
      request.writes = {put("accounts", side == 0 ? flag : guarded),
                        {.kind = WriteKind::kCheck,
                         .table = "accounts",
                         .item = encode_item(side == 0 ? guarded : flag),
                         .condition = Expression{"attribute_not_exists(bank)"}}};
      if (call(*service_, std::move(request))) ++successes;
    });
    EXPECT_EQ(successes, 1);
  }
}

}  // namespace
}  // namespace dolmen::engine
