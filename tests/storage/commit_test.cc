// Commits under concurrency and on failing disks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <mutex>
#include <thread>

#include "base/test_result.h"
#include "storage/fault_plan.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::batch_of;
using test::kNotes;
using test::kRows;
using test::must;
using test::open_store;
using test::read;
using testing::HasSubstr;

/// A store on disk whose files fail as a test says.
class Commit : public testing::TestWithParam<Durability> {
 protected:
  Options options(Durability durability) {
    Options options = test::options_for(temp_ / ("data" + std::to_string(static_cast<int>(durability))), durability);
    options.faults = faults_;
    return options;
  }

  const TemporaryDirectory temp_;
  const std::shared_ptr<FaultPlan> faults_ = std::make_shared<FaultPlan>();
};

using CommitInEveryMode = Commit;
INSTANTIATE_TEST_SUITE_P(, CommitInEveryMode, testing::Values(Durability::kSync, Durability::kOs, Durability::kMemory),
                         [](const auto& mode) { return "mode" + std::to_string(static_cast<int>(mode.param)); });

TEST_P(CommitInEveryMode, of_many_threads_all_become_visible_and_each_is_reported_once) {
  constexpr int kThreads = 4;
  constexpr int kCommits = 250;
  const auto storage = open_store(options(GetParam()));
  std::vector<std::atomic<int>> reports(kThreads * kCommits);
  std::latch all_done(kThreads * kCommits);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t * kCommits; i < (t + 1) * kCommits; ++i) {
        storage->commit_async(batch_of(kRows, std::to_string(i), "value"), [&, i](Result<void> result) {
          EXPECT_THAT(result, succeeds());
          EXPECT_EQ(read(*storage, kRows, std::to_string(i)), "value");
          ++reports[static_cast<std::size_t>(i)];
          all_done.count_down();
        });
      }
    });
  }
  for (auto& thread : threads) thread.join();
  all_done.wait();
  must(storage->close());
  for (const auto& count : reports) EXPECT_EQ(count, 1);
}

TEST_P(CommitInEveryMode, is_never_seen_in_part) {
  constexpr int kCommits = 300;
  const auto storage = open_store(options(GetParam()));
  std::atomic<bool> finished = false;
  std::thread reader([&] {
    while (!finished) {
      const Snapshot snapshot = storage->snapshot();
      EXPECT_EQ(read(*storage, kRows, "key", &snapshot), read(*storage, kNotes, "key", &snapshot));
    }
  });
  for (int i = 0; i < kCommits; ++i) {
    Batch batch;
    batch.put(kRows, "key", std::to_string(i));
    batch.put(kNotes, "key", std::to_string(i));
    must(storage->commit(std::move(batch)));
  }
  finished = true;
  reader.join();
}

TEST_P(CommitInEveryMode, of_too_many_bytes_is_refused_and_does_no_harm) {
  Options small = options(GetParam());
  small.batch_bytes_max = 1000;
  const auto storage = open_store(small);
  const auto refused = storage->commit(batch_of(kRows, "key", std::string(1000, 'v')));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kLimitExceeded));
  EXPECT_THAT(refused.error().message(), HasSubstr("1000"));
  must(storage->commit(batch_of(kRows, "key", "value")));
}

TEST_F(Commit, is_not_visible_before_it_is_durable) {
  const auto storage = open_store(options(Durability::kSync));
  std::latch done(1);
  faults_->hold(FileOperation::kSync, ".log");
  storage->commit_async(batch_of(kRows, "key", "value"), [&](Result<void>) { done.count_down(); });
  faults_->await_held();
  EXPECT_FALSE(done.try_wait());
  EXPECT_EQ(read(*storage, kRows, "key"), std::nullopt);
  faults_->release();
  done.wait();
  EXPECT_EQ(read(*storage, kRows, "key"), "value");
}

TEST_F(Commit, shares_one_sync_with_all_that_waited_for_the_one_before) {
  constexpr int kCommits = 100;
  const auto storage = open_store(options(Durability::kSync));
  std::latch done(1 + kCommits);
  faults_->hold(FileOperation::kSync, ".log");
  storage->commit_async(batch_of(kRows, "first", ""), [&](Result<void>) { done.count_down(); });
  faults_->await_held();
  for (int i = 0; i < kCommits; ++i) {
    storage->commit_async(batch_of(kRows, std::to_string(i), ""), [&](Result<void>) { done.count_down(); });
  }
  const auto syncs_before = faults_->count(FileOperation::kSync, ".log");
  faults_->release();
  done.wait();
  EXPECT_EQ(faults_->count(FileOperation::kSync, ".log") - syncs_before, 1U);
  EXPECT_EQ(test::content(*storage, kRows).size(), 1U + kCommits);
}

TEST_F(Commit, is_completed_by_close_when_it_still_waits) {
  const auto storage = open_store(options(Durability::kSync));
  std::atomic<int> completed = 0;
  faults_->hold(FileOperation::kSync, ".log");
  for (int i = 0; i < 10; ++i) {
    storage->commit_async(batch_of(kRows, std::to_string(i), ""),
                          [&](Result<void> result) { completed += result ? 1 : 0; });
  }
  faults_->await_held();
  std::thread closer([&] { must(storage->close()); });
  faults_->release();
  closer.join();
  EXPECT_EQ(completed, 10);
  EXPECT_EQ(test::content(*open_store(options(Durability::kSync)), kRows).size(), 10U);
}

TEST_F(Commit, never_makes_a_network_thread_wait_while_the_store_stalls) {
  Options stalling = options(Durability::kOs);
  stalling.write_buffer_bytes = 64 << 10;
  const auto storage = open_store(stalling);
  constexpr std::size_t kCommits = 200;
  std::atomic<std::size_t> completed = 0;
  faults_->hold(FileOperation::kSync, ".sst");  // Nothing can leave memory, so RocksDB wants writers to wait.
  for (std::size_t i = 0; i < kCommits; ++i) {
    storage->commit_async(batch_of(kRows, std::to_string(i), std::string(10'000, 'v')),
                          [&](Result<void> result) { completed += result ? 1 : 0; });
  }
  EXPECT_LT(completed, kCommits);
  faults_->release();
  must(storage->close());
  EXPECT_EQ(completed, kCommits);
}

class CommitOnABrokenDisk : public Commit {
 protected:
  /// Commits into `fault` and expects that this and all that follows fails with `code`, while reading still works.
  void expect_failure(Durability durability, Fault fault, Code code) {
    {
      const auto storage = open_store(options(durability));
      must(storage->commit(batch_of(kRows, "before", "value")));
      faults_->inject(std::move(fault));
      const auto failed = storage->commit(batch_of(kRows, "key", "value"));
      ASSERT_FALSE(failed);
      EXPECT_THAT(failed, fails_with(code));
      faults_->clear();

      const auto later = storage->commit(batch_of(kRows, "later", "value"));
      ASSERT_FALSE(later);
      EXPECT_THAT(later, fails_with(code));
      EXPECT_THAT(later.error().message(), HasSubstr("refuses writes until it is reopened"));
      EXPECT_EQ(read(*storage, kRows, "before"), "value");
      EXPECT_EQ(read(*storage, kRows, "key"), std::nullopt);
      EXPECT_EQ(read(*storage, kRows, "later"), std::nullopt);
    }
    const auto reopened = open_store(options(durability));
    EXPECT_EQ(read(*reopened, kRows, "before"), "value");
    EXPECT_EQ(read(*reopened, kRows, "later"), std::nullopt);
    must(reopened->commit(batch_of(kRows, "later", "value")));
  }
};

TEST_F(CommitOnABrokenDisk, fails_when_the_log_cannot_be_synced) {
  expect_failure(Durability::kSync,
                 {.kind = FaultKind::kIoError, .operation = FileOperation::kSync, .path_part = ".log", .times = 1},
                 Code::kIo);
}

TEST_F(CommitOnABrokenDisk, fails_when_the_log_cannot_be_written) {
  for (const Durability durability : {Durability::kSync, Durability::kOs}) {
    expect_failure(durability,
                   {.kind = FaultKind::kIoError, .operation = FileOperation::kAppend, .path_part = ".log", .times = 1},
                   Code::kIo);
  }
}

TEST_F(CommitOnABrokenDisk, fails_when_half_of_it_is_written) {
  for (const Durability durability : {Durability::kSync, Durability::kOs}) {
    expect_failure(
        durability,
        {.kind = FaultKind::kShortWrite, .operation = FileOperation::kAppend, .path_part = ".log", .times = 1},
        Code::kIo);
  }
}

TEST_F(CommitOnABrokenDisk, fails_every_commit_of_the_group) {
  const auto storage = open_store(options(Durability::kSync));
  std::latch done(11);
  std::atomic<int> failed = 0;
  const auto count = [&](Result<void> result) {
    failed += result ? 0 : 1;
    done.count_down();
  };
  faults_->hold(FileOperation::kSync, ".log");
  storage->commit_async(batch_of(kRows, "first", ""), count);
  faults_->await_held();
  for (int i = 0; i < 10; ++i) storage->commit_async(batch_of(kRows, std::to_string(i), ""), count);
  faults_->inject({.operation = FileOperation::kSync, .path_part = ".log", .skip = 1});
  faults_->release();
  done.wait();
  EXPECT_EQ(failed, 10);
  EXPECT_EQ(test::content(*storage, kRows).size(), 1U);
}

}  // namespace
}  // namespace dolmen::storage
