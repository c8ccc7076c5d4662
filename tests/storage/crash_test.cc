// What is there after the power has failed.

#include <gtest/gtest.h>
#include <latch>
#include <set>
#include <thread>

#include "base/endian.h"
#include "storage/counters.h"
#include "storage/fault_plan.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::content;
using test::kCounters;
using test::kNotes;
using test::kRows;
using test::must;

constexpr Keyspace kJournal{3};

/// Each commit is a row, a note of the same number, one more in a counter, two appended rows, and the removal of what
/// the commit before it has left in "last".
Batch numbered(int number) {
  Batch batch;
  batch.put(kRows, std::to_string(number), std::string(300, 'r'));
  batch.put(kNotes, std::to_string(number), std::string(300, 'n'));
  batch.add(kCounters, "rows", std::vector<std::int64_t>{1});
  batch.append(kJournal, kCounters, "journal", std::to_string(number) + " begins");
  batch.append(kJournal, kCounters, "journal", std::to_string(number) + " ends");
  batch.remove_range(kRows, {.lower = "last", .upper = "last~"});
  batch.put(kRows, "last" + std::to_string(number), "");
  return batch;
}

/// Expects two appended rows for each row, numbered without gaps.
void expect_whole_journal(const Storage& storage, const test::Content& rows) {
  const auto journal = content(storage, kJournal);
  EXPECT_EQ(journal.size(), 2 * rows.size());
  std::uint64_t expected = 0;
  for (const auto& [key, text] : journal) {
    EXPECT_EQ(read_big_endian<std::uint64_t>(std::string_view(key).substr(7)), ++expected);
    EXPECT_EQ(text.ends_with("begins"), expected % 2 == 1);
    EXPECT_TRUE(rows.contains(text.substr(0, text.find(' ')))) << text;
  }
  const auto counter = test::read(storage, kCounters, "journal");
  EXPECT_EQ(counter ? must(decode_counters(*counter)) : std::vector<std::int64_t>{0},
            std::vector<std::int64_t>{static_cast<std::int64_t>(expected)});
}

/// Expects every acknowledged number, and of the others all or nothing.
void expect_whole(const Storage& storage, const std::set<int>& acknowledged) {
  auto rows = content(storage, kRows, {.lower = "", .upper = "last"});
  const auto notes = content(storage, kNotes);
  EXPECT_EQ(rows.size(), notes.size());
  for (const auto& [number, note] : notes) EXPECT_TRUE(rows.contains(number)) << number;
  for (const int number : acknowledged) EXPECT_TRUE(rows.contains(std::to_string(number))) << number;
  const auto counter = test::read(storage, kCounters, "rows");
  EXPECT_EQ(rows.size(), counter ? static_cast<std::size_t>(must(decode_counters(*counter)).at(0)) : 0U);
  EXPECT_EQ(content(storage, kRows, {.lower = "last"}).size(), rows.empty() ? 0U : 1U);
  expect_whole_journal(storage, rows);
}

class PowerCut : public testing::Test {
 protected:
  PowerCut() {
    options_ = test::options_for(temp_ / "data", Durability::kSync);
    options_.keyspaces.emplace_back("counters");
    options_.keyspaces.emplace_back("journal");
    options_.faults = faults_;
  }

  /// Commits numbers from `first` on until one fails, but at most `count`, and notes the acknowledged ones.
  void commit_until_failure(Storage& storage, int first, int count) {
    for (int number = first; number < first + count; ++number) {
      if (!storage.commit(numbered(number))) return;
      acknowledged_.insert(number);
    }
  }

  const TemporaryDirectory temp_;
  const std::shared_ptr<FaultPlan> faults_ = std::make_shared<FaultPlan>();
  Options options_;
  std::set<int> acknowledged_;
};

TEST_F(PowerCut, loses_nothing_that_was_acknowledged_and_leaves_no_half_commit) {
  auto random = test::seeded_random();
  options_.write_buffer_bytes = 64 << 10;  // So that files are written, and the log changes, while it happens.
  constexpr int kRounds = 25;
  for (int round = 0; round < kRounds; ++round) {
    const auto skip = std::uniform_int_distribution<std::uint64_t>(0, 120)(random);
    SCOPED_TRACE("round " + std::to_string(round) + ", power cut after " + std::to_string(skip) + " operations");
    if (auto storage = Storage::open(options_)) {
      expect_whole(**storage, acknowledged_);
      faults_->inject({.kind = FaultKind::kPowerCut, .skip = skip});
      commit_until_failure(**storage, round * 1000, 200);
      faults_->crash();
    } else {
      ADD_FAILURE() << storage.error().message();
    }
    // Anything from nothing to everything of what was not synced may have reached the disk.
    faults_->drop_unsynced([&](std::uint64_t unsynced) {
      return std::uniform_int_distribution<std::uint64_t>(0, round % 2 == 0 ? 0 : unsynced)(random);
    });
  }
  expect_whole(*test::open_store(options_), acknowledged_);
}

TEST_F(PowerCut, loses_nothing_that_many_threads_were_told_is_there) {
  constexpr int kThreads = 4;
  std::mutex acknowledged_mutex;
  {
    const auto storage = test::open_store(options_);
    faults_->inject({.kind = FaultKind::kPowerCut, .operation = FileOperation::kSync, .path_part = ".log", .skip = 20});
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int number = t * 1000; storage->commit(numbered(number)); ++number) {
          const std::scoped_lock lock(acknowledged_mutex);
          acknowledged_.insert(number);
        }
      });
    }
    for (auto& thread : threads) thread.join();
  }
  EXPECT_GE(acknowledged_.size(), 20U);
  faults_->drop_unsynced();
  expect_whole(*test::open_store(options_), acknowledged_);
}

TEST_F(PowerCut, at_any_moment_of_opening_leaves_a_store_that_opens) {
  { commit_until_failure(*test::open_store(options_), 0, 3); }
  bool finished = false;
  int moments = 0;
  for (std::uint64_t skip = 0; !finished; skip += 3, ++moments) {
    faults_->inject({.kind = FaultKind::kPowerCut, .skip = skip});
    {
      const auto storage = Storage::open(options_);
      finished = storage.has_value() && !faults_->has_crashed();
      faults_->crash();
    }
    faults_->drop_unsynced();
  }
  EXPECT_GT(moments, 5);
  expect_whole(*test::open_store(options_), acknowledged_);
}

TEST_F(PowerCut, at_any_moment_of_creation_leaves_a_directory_that_opens_as_a_new_store) {
  bool finished = false;
  int moments = 0;
  for (std::uint64_t skip = 0; !finished; skip += 3, ++moments) {
    const TemporaryDirectory temp;
    options_.directory = temp / "data";
    faults_->inject({.kind = FaultKind::kPowerCut, .skip = skip});
    {
      const auto storage = Storage::open(options_);
      finished = storage.has_value() && !faults_->has_crashed();
      faults_->crash();
    }
    faults_->drop_unsynced();
    const auto storage = test::open_store(options_);
    must(storage->commit(numbered(1)));
    expect_whole(*storage, {1});
  }
  EXPECT_GT(moments, 5);
}

TEST_F(PowerCut, may_take_what_the_operating_system_had_not_written_yet) {
  options_.durability = Durability::kOs;
  {
    const auto storage = test::open_store(options_);
    commit_until_failure(*storage, 0, 10);
    EXPECT_EQ(acknowledged_.size(), 10U);
    faults_->crash();
  }
  faults_->drop_unsynced();
  const auto storage = test::open_store(options_);
  EXPECT_TRUE(content(*storage, kRows).empty());  // That is what kOs means; else this plan drops nothing.
  expect_whole(*storage, {});
}

TEST_F(PowerCut, takes_nothing_after_a_clean_close_even_without_syncing_each_commit) {
  options_.durability = Durability::kOs;
  {
    const auto storage = test::open_store(options_);
    commit_until_failure(*storage, 0, 10);
    must(storage->close());
  }
  faults_->crash();
  faults_->drop_unsynced();
  expect_whole(*test::open_store(options_), acknowledged_);
}

}  // namespace
}  // namespace dolmen::storage
