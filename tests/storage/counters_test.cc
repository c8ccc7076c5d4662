#include "storage/counters.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "base/test_result.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::kNotes;
using test::kRows;
using test::must;
using Amounts = std::vector<std::int64_t>;

Batch adding(std::string_view key, const Amounts& amounts) {
  Batch batch;
  batch.add(kRows, key, amounts);
  return batch;
}

/// Empty when there is no such row.
Amounts counters(const Storage& storage, std::string_view key, Keyspace keyspace = kRows) {
  const auto bytes = test::read(storage, keyspace, key);
  return bytes ? must(decode_counters(*bytes)) : Amounts();
}

class Counters : public testing::TestWithParam<Durability> {
 protected:
  [[nodiscard]] std::unique_ptr<Storage> open() const {
    return test::open_store(test::options_for(temp_ / "data", GetParam()));
  }

  const TemporaryDirectory temp_;
};

INSTANTIATE_TEST_SUITE_P(AllDurabilities, Counters,
                         testing::Values(Durability::kSync, Durability::kOs, Durability::kMemory));

TEST_P(Counters, add_up_within_a_batch_and_over_many) {
  const auto storage = open();
  Batch batch = adding("a", {1, 10});
  batch.add(kRows, "a", Amounts{2, -3});
  batch.add(kRows, "b", Amounts{5});
  batch.add(kNotes, "a", Amounts{7});
  must(storage->commit(std::move(batch)));
  must(storage->commit(adding("a", {-1, 0, 100})));
  EXPECT_EQ(counters(*storage, "a"), (Amounts{2, 7, 100}));
  EXPECT_EQ(counters(*storage, "b"), Amounts{5});
  EXPECT_EQ(counters(*storage, "a", kNotes), Amounts{7});
}

TEST_P(Counters, are_there_once_zeros_were_added) {
  const auto storage = open();
  must(storage->commit(adding("a", {0, 0})));
  EXPECT_EQ(counters(*storage, "a"), (Amounts{0, 0}));
}

TEST_P(Counters, start_again_from_zero_when_they_were_removed) {
  const auto storage = open();
  must(storage->commit(adding("a", {3})));
  Batch remove;
  remove.remove_counters(kRows, "a");
  must(storage->commit(std::move(remove)));
  EXPECT_EQ(counters(*storage, "a"), Amounts());
  must(storage->commit(adding("a", {4})));
  EXPECT_EQ(counters(*storage, "a"), Amounts{4});
  Batch both = adding("a", {100});
  both.remove_counters(kRows, "a");
  both.add(kRows, "a", Amounts{9});
  must(storage->commit(std::move(both)));
  EXPECT_EQ(counters(*storage, "a"), Amounts{9});
}

TEST_P(Counters, of_many_threads_miss_nothing) {
  constexpr int kThreads = 4;
  constexpr int kCommits = 300;
  const auto storage = open();
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kCommits; ++i) must(storage->commit(adding(i % 2 == 0 ? "even" : "odd", {1, i})));
    });
  threads.clear();
  EXPECT_EQ(counters(*storage, "even")[0], kThreads * kCommits / 2);
  EXPECT_EQ(counters(*storage, "even")[1] + counters(*storage, "odd")[1], kThreads * kCommits * (kCommits - 1) / 2);
}

TEST_P(Counters, go_on_where_they_were_when_the_store_is_opened_again) {
  if (GetParam() == Durability::kMemory) GTEST_SKIP() << "keeps nothing";
  must(open()->commit(adding("a", {3, 5})));
  must(open()->commit(adding("a", {4, -5})));
  EXPECT_EQ(counters(*open(), "a"), (Amounts{7, 0}));
}

TEST_P(Counters, are_copied_by_a_checkpoint) {
  if (GetParam() == Durability::kMemory) GTEST_SKIP() << "cannot be copied";
  const auto storage = open();
  must(storage->commit(adding("a", {3})));
  must(storage->checkpoint(temp_ / "copy"));
  must(storage->commit(adding("a", {1})));
  const auto copy = test::open_store(test::options_for(temp_ / "copy", GetParam()));
  must(copy->commit(adding("a", {10})));
  EXPECT_EQ(counters(*copy, "a"), Amounts{13});
  EXPECT_EQ(counters(*storage, "a"), Amounts{4});
}

TEST(CountersOfADamagedRow, refuse_the_commit) {
  const auto storage = test::open_store(test::options_for({}, Durability::kMemory));
  must(storage->commit(test::batch_of(kRows, "a", "seven b")));
  EXPECT_THAT(storage->commit(adding("a", {1})), fails_with(Code::kCorruption));
}

}  // namespace
}  // namespace dolmen::storage
