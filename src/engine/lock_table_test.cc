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

constexpr LockRequest kReadA{1, LockMode::kShared};
constexpr LockRequest kWriteA{1, LockMode::kExclusive};
constexpr LockRequest kWriteB{2, LockMode::kExclusive};

TEST(LockTable, grants_free_locks_at_once) {
  LockTable table;
  Holder a, b;
  a.acquire(table, {kWriteA});
  b.acquire(table, {kWriteB});
  EXPECT_TRUE(a.held.has_value());
  EXPECT_TRUE(b.held.has_value());
}

TEST(LockTable, makes_a_writer_wait_for_another) {
  LockTable table;
  Holder first, second;
  first.acquire(table, {kWriteA});
  second.acquire(table, {kWriteA, kWriteB});
  EXPECT_FALSE(second.held.has_value());
  first.held.reset();
  EXPECT_TRUE(second.held.has_value());
}

TEST(LockTable, lets_readers_in_together_and_keeps_writers_out) {
  LockTable table;
  Holder first, second, writer;
  first.acquire(table, {kReadA});
  second.acquire(table, {kReadA});
  writer.acquire(table, {kWriteA});
  EXPECT_TRUE(second.held.has_value());
  first.held.reset();
  EXPECT_FALSE(writer.held.has_value());
  second.held.reset();
  EXPECT_TRUE(writer.held.has_value());
}

TEST(LockTable, does_not_let_readers_overtake_a_waiting_writer) {
  LockTable table;
  Holder reader, writer, late_reader;
  reader.acquire(table, {kReadA});
  writer.acquire(table, {kWriteA});
  late_reader.acquire(table, {kReadA});
  EXPECT_FALSE(late_reader.held.has_value());
  reader.held.reset();
  EXPECT_TRUE(writer.held.has_value());
  EXPECT_FALSE(late_reader.held.has_value());
  writer.held.reset();
  EXPECT_TRUE(late_reader.held.has_value());
}

TEST(LockTable, takes_a_lock_once_when_a_request_names_it_twice) {
  LockTable table;
  Holder both, next;
  both.acquire(table, {kReadA, kWriteA, kWriteA});
  ASSERT_TRUE(both.held.has_value());
  next.acquire(table, {kReadA});
  EXPECT_FALSE(next.held.has_value());
  both.held.reset();
  EXPECT_TRUE(next.held.has_value());
}

TEST(LockTable, serves_a_long_queue_without_a_deep_stack) {
  LockTable table;
  Holder first;
  first.acquire(table, {kWriteA});
  int served = 0;
  constexpr int kWaiters = 200'000;
  for (int i = 0; i < kWaiters; ++i) table.acquire({&kWriteA, 1}, [&](LockTable::Held) { ++served; });
  EXPECT_EQ(served, 0);
  first.held.reset();
  EXPECT_EQ(served, kWaiters);
}

TEST(LockTable, keeps_threads_apart_and_never_deadlocks) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 5'000;
  constexpr std::uint64_t kKeys = 6;
  LockTable table;
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
        const LockRequest requests[] = {{a, LockMode::kExclusive}, {b, LockMode::kExclusive}};
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
