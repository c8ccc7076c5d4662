// Rows that the writing thread numbers.

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "base/endian.h"
#include "base/test_result.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::kNotes;
using test::kRows;
using test::must;

Batch appending(std::string_view key, std::string_view value) {
  Batch batch;
  batch.append(kRows, kNotes, key, value);
  return batch;
}

struct Appended {
  std::uint64_t number = 0;
  std::string value;

  friend bool operator==(const Appended&, const Appended&) = default;
};

void PrintTo(const Appended& row, std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest's name.
  *out << row.number << " " << row.value;
}

/// The rows of `key` in the order of their keys.
std::vector<Appended> appended(const Storage& storage, const std::string& key) {
  std::vector<Appended> rows;
  for (const auto& [full, value] : test::content(storage, kRows, {.lower = key, .upper = key + "\xff"}))
    rows.push_back({read_big_endian<std::uint64_t>(std::string_view(full).substr(key.size())), value});
  return rows;
}

class Append : public testing::TestWithParam<Durability> {
 protected:
  [[nodiscard]] std::unique_ptr<Storage> open() const {
    return test::open_store(test::options_for(temp_ / "data", GetParam()));
  }

  const TemporaryDirectory temp_;
};

INSTANTIATE_TEST_SUITE_P(AllDurabilities, Append,
                         testing::Values(Durability::kSync, Durability::kOs, Durability::kMemory));

TEST_P(Append, numbers_the_rows_of_each_key_from_one_on) {
  const auto storage = open();
  Batch batch = appending("a", "first");
  batch.append(kRows, kNotes, "b", "other");
  batch.append(kRows, kNotes, "a", "second");
  must(storage->commit(std::move(batch)));
  must(storage->commit(appending("a", "third")));
  EXPECT_EQ(appended(*storage, "a"), (std::vector<Appended>{{1, "first"}, {2, "second"}, {3, "third"}}));
  EXPECT_EQ(appended(*storage, "b"), (std::vector<Appended>{{1, "other"}}));
}

TEST_P(Append, never_repeats_a_number_when_the_rows_are_removed) {
  const auto storage = open();
  for (int i = 0; i < 3; ++i) must(storage->commit(appending("a", "old")));
  Batch remove;
  remove.remove_range(kRows, {.lower = "a", .upper = "b"});
  must(storage->commit(std::move(remove)));
  must(storage->commit(appending("a", "new")));
  EXPECT_EQ(appended(*storage, "a"), (std::vector<Appended>{{4, "new"}}));
}

TEST_P(Append, begins_again_when_the_counter_is_removed) {
  const auto storage = open();
  must(storage->commit(appending("a", "old")));
  Batch remove;
  remove.remove_range(kRows, {.lower = "a", .upper = "b"});
  remove.remove_counters(kNotes, "a");
  must(storage->commit(std::move(remove)));
  must(storage->commit(appending("a", "new")));
  EXPECT_EQ(appended(*storage, "a"), (std::vector<Appended>{{1, "new"}}));
}

TEST_P(Append, goes_on_when_the_store_is_opened_again) {
  if (GetParam() == Durability::kMemory) GTEST_SKIP() << "keeps nothing";
  must(open()->commit(appending("a", "one")));
  must(open()->commit(appending("a", "two")));
  EXPECT_EQ(appended(*open(), "a"), (std::vector<Appended>{{1, "one"}, {2, "two"}}));
}

TEST_P(Append, shows_no_number_before_all_smaller_ones) {
  constexpr int kThreads = 4;
  constexpr std::size_t kCommits = 200;
  const auto storage = open();
  std::vector<std::jthread> writers;
  for (int t = 0; t < kThreads; ++t)
    writers.emplace_back([&] {
      for (std::size_t i = 0; i < kCommits; ++i) must(storage->commit(appending("a", "value")));
    });
  std::size_t seen = 0;
  while (seen < kThreads * kCommits) {
    const auto rows = appended(*storage, "a");
    ASSERT_GE(rows.size(), seen);
    seen = rows.size();
    ASSERT_EQ(rows.empty() ? 0 : rows.back().number, seen);
  }
}

TEST_P(Append, refuses_a_commit_when_its_counter_is_damaged) {
  const auto storage = open();
  must(storage->commit(test::batch_of(kNotes, "a", "seven b")));
  EXPECT_THAT(storage->commit(appending("a", "value")), fails_with(Code::kCorruption));
  EXPECT_TRUE(appended(*storage, "a").empty());
}

}  // namespace
}  // namespace dolmen::storage
