#include "engine/lock_table.h"

#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <optional>
#include <thread>

#include "base/test_seed.h"

namespace dolmen::engine {
namespace {

/// Acquires and keeps what it is given.
struct Holder {
  std::optional<LockTable::Held> held;

  void acquire(LockTable& table, std::vector<LockRequest> requests) {
    table.acquire(requests, [this](LockTable::Held given) { held.emplace(std::move(given)); });
  }
};

/// Two items whose locks differ.
class LockTableTest : public testing::Test {
 protected:
  LockTable table{2};
  const LockRequest read_a = table.item("a", LockMode::kShared);
  const LockRequest write_a = table.item("a");
  const LockRequest write_b = table.item("b");
};

/// Whether two locks, asked for by different requests, cannot be held together.
bool exclude_each_other(LockTable& table, LockRequest first, LockRequest second) {
  Holder a, b;
  a.acquire(table, {first});
  b.acquire(table, {second});
  const bool waits = !b.held.has_value();
  a.held.reset();
  return waits;
}

TEST_F(LockTableTest, grants_free_locks_at_once) {
  Holder a, b;
  a.acquire(table, {write_a});
  b.acquire(table, {write_b});
  EXPECT_TRUE(a.held.has_value());
  EXPECT_TRUE(b.held.has_value());
}

TEST_F(LockTableTest, makes_a_writer_wait_for_another) {
  Holder first, second;
  first.acquire(table, {write_a});
  second.acquire(table, {write_a, write_b});
  EXPECT_FALSE(second.held.has_value());
  first.held.reset();
  EXPECT_TRUE(second.held.has_value());
}

TEST_F(LockTableTest, lets_readers_in_together_and_keeps_writers_out) {
  Holder first, second, writer;
  first.acquire(table, {read_a});
  second.acquire(table, {read_a});
  writer.acquire(table, {write_a});
  EXPECT_TRUE(second.held.has_value());
  first.held.reset();
  EXPECT_FALSE(writer.held.has_value());
  second.held.reset();
  EXPECT_TRUE(writer.held.has_value());
}

TEST_F(LockTableTest, does_not_let_readers_overtake_a_waiting_writer) {
  Holder reader, writer, late_reader;
  reader.acquire(table, {read_a});
  writer.acquire(table, {write_a});
  late_reader.acquire(table, {read_a});
  EXPECT_FALSE(late_reader.held.has_value());
  reader.held.reset();
  EXPECT_TRUE(writer.held.has_value());
  EXPECT_FALSE(late_reader.held.has_value());
  writer.held.reset();
  EXPECT_TRUE(late_reader.held.has_value());
}

TEST_F(LockTableTest, takes_a_lock_once_when_a_request_names_it_twice) {
  Holder both, next;
  both.acquire(table, {read_a, write_a, write_a});
  ASSERT_TRUE(both.held.has_value());
  next.acquire(table, {read_a});
  EXPECT_FALSE(next.held.has_value());
  both.held.reset();
  EXPECT_TRUE(next.held.has_value());
}

TEST_F(LockTableTest, serves_a_long_queue_without_a_deep_stack) {
  Holder first;
  first.acquire(table, {write_a});
  int served = 0;
  constexpr int kWaiters = 200'000;
  for (int i = 0; i < kWaiters; ++i) table.acquire({&write_a, 1}, [&](LockTable::Held) { ++served; });
  EXPECT_EQ(served, 0);
  first.held.reset();
  EXPECT_EQ(served, kWaiters);
}

TEST_F(LockTableTest, never_makes_an_item_wait_for_those_who_write_to_its_table) {
  Holder writer;
  writer.acquire(table, {table.table("things", LockMode::kShared)});
  for (int i = 0; i < 5'000; ++i) {
    Holder item;
    item.acquire(table, {table.item(std::to_string(i))});
    ASSERT_TRUE(item.held.has_value()) << i;
  }
}

TEST_F(LockTableTest, never_makes_an_item_or_a_table_wait_for_whoever_creates_a_table) {
  Holder creator;
  creator.acquire(table, {LockTable::all_tables()});
  for (int i = 0; i < 5'000; ++i) {
    Holder both;
    both.acquire(table, {table.item(std::to_string(i)), table.table(std::to_string(i), LockMode::kShared)});
    ASSERT_TRUE(both.held.has_value()) << i;
  }
}

TEST_F(LockTableTest, keeps_apart_those_who_write_to_a_table_and_those_who_change_it) {
  EXPECT_TRUE(
      exclude_each_other(table, table.table("things", LockMode::kShared), table.table("things", LockMode::kExclusive)));
  EXPECT_TRUE(exclude_each_other(table, table.client_token("x"), table.client_token("x")));
}

TEST_F(LockTableTest, other_keys_share_a_lock_when_the_seed_is_another) {
  LockTable other(3);
  int shared = 0, shared_in_both = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = std::to_string(i);
    if (!exclude_each_other(table, table.item("a"), table.item(key))) continue;
    ++shared;
    if (exclude_each_other(other, other.item("a"), other.item(key))) ++shared_in_both;
  }
  EXPECT_GT(shared, 5);
  EXPECT_LT(shared_in_both, shared / 2);
}

TEST_F(LockTableTest, keeps_threads_apart_and_never_deadlocks) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 5'000;
  constexpr std::uint64_t kKeys = 6;
  const std::uint64_t seed = test_seed("locks");
  std::array<int, kKeys> counters{};  // unguarded but for the locks
  std::atomic<int> granted = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 random(seed + static_cast<std::uint64_t>(t));
      for (int i = 0; i < kRounds; ++i) {
        const std::uint64_t a = random() % kKeys;
        const std::uint64_t b = random() % kKeys;
        const LockRequest requests[] = {table.item(std::to_string(a)), table.item(std::to_string(b))};
        table.acquire(requests, [&counters, &granted, a, b](LockTable::Held) {
          ++counters[a];
          ++counters[b];
          ++granted;
        });
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, kThreads * kRounds);
  int sum = 0;
  for (const int counter : counters) sum += counter;
  EXPECT_EQ(sum, 2 * kThreads * kRounds);
}

}  // namespace
}  // namespace dolmen::engine
