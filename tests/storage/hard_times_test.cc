// A disk that is full for a while, too few descriptors, a directory that vanishes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <sys/resource.h>

#include "base/test_result.h"
#include "storage/fault_plan.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::batch_of;
using test::kRows;
using test::must;
using test::open_store;
using test::options_for;
using test::read;
using testing::HasSubstr;

class HardTimes : public testing::TestWithParam<Durability> {
 protected:
  Options options() {
    Options options = options_for(temp_ / "data", GetParam());
    options.faults = faults_;
    options.recovery_pause = std::chrono::milliseconds(1);
    options.on_write_failure = [this](const std::optional<Error>& failure) {
      const std::scoped_lock lock(heard_mutex_);
      heard_.push_back(failure ? std::string(code_name(failure->code())) : "accepts writes");
      heard_changed_.notify_all();
    };
    return options;
  }

  /// Waits until the store has said as many times that it refuses or accepts writes.
  void await_heard(std::size_t count) {
    std::unique_lock lock(heard_mutex_);
    heard_changed_.wait(lock, [&] { return heard_.size() >= count; });
  }

  /// Lets a commit fail by `fault`, ends the fault, waits for the store to go on, and expects that the failed commit
  /// has left nothing behind, now and after a restart.
  void expect_recovery(Fault fault, int rows_before) {
    {
      const auto storage = open_store(options());
      for (int i = 0; i < rows_before; ++i) must(storage->commit(batch_of(kRows, std::to_string(i), "value")));
      faults_->inject(std::move(fault));
      const auto failed = storage->commit(batch_of(kRows, "failed", "value"));
      ASSERT_FALSE(failed);
      EXPECT_THAT(failed, fails_with(Code::kNoSpace));
      faults_->clear();
      await_heard(2);
      EXPECT_FALSE(storage->write_failure());
      must(storage->commit(batch_of(kRows, "later", "value")));
      expect_rows(*storage, rows_before);
      faults_->crash();
    }
    EXPECT_THAT(heard_, testing::ElementsAre("NoSpace", "accepts writes"));
    faults_->drop_unsynced([](std::uint64_t unsynced) { return unsynced; });
    expect_rows(*open_store(options()), rows_before);
  }

  /// With a sync the first commit notices it, without one those of the next milliseconds do.
  Result<void> commit_until_noticed(Storage& storage) {
    Result<void> result;
    do {
      result = storage.commit(batch_of(kRows, "after", "value"));
    } while (result && GetParam() != Durability::kSync);
    return result;
  }

  static void expect_rows(const Storage& storage, int rows_before) {
    for (int i = 0; i < rows_before; ++i) EXPECT_EQ(read(storage, kRows, std::to_string(i)), "value");
    EXPECT_EQ(read(storage, kRows, "failed"), std::nullopt);
    EXPECT_EQ(read(storage, kRows, "later"), "value");
  }

  const TemporaryDirectory temp_;
  const std::shared_ptr<FaultPlan> faults_ = std::make_shared<FaultPlan>();
  std::mutex heard_mutex_;
  std::condition_variable heard_changed_;
  std::vector<std::string> heard_;
};

TEST_P(HardTimes, end_by_themselves_after_a_log_that_did_not_fit_on_the_disk) {
  expect_recovery({.kind = FaultKind::kNoSpace, .operation = FileOperation::kAppend, .path_part = ".log", .times = 1},
                  5);
}

TEST_P(HardTimes, end_by_themselves_when_the_first_commit_of_all_did_not_fit) {
  expect_recovery({.kind = FaultKind::kNoSpace, .operation = FileOperation::kAppend, .path_part = ".log", .times = 1},
                  0);
}

TEST_P(HardTimes, last_while_the_memory_cannot_be_written_out) {
  Options small = options();
  small.write_buffer_bytes = 64 << 10;
  int committed = 0;
  {
    const auto storage = open_store(small);
    faults_->inject({.kind = FaultKind::kNoSpace, .operation = FileOperation::kAppend, .path_part = ".sst"});
    Result<void> result;
    while ((result = storage->commit(batch_of(kRows, std::to_string(committed), std::string(1000, 'v'))))) ++committed;
    EXPECT_THAT(result, fails_with(Code::kNoSpace));
    for (int i = 0; i < committed; ++i) EXPECT_TRUE(read(*storage, kRows, std::to_string(i))) << "reads go on";
    faults_->clear();
    await_heard(2);
    must(storage->commit(batch_of(kRows, "later", "value")));
    faults_->crash();
  }
  faults_->drop_unsynced([](std::uint64_t unsynced) { return unsynced; });
  const auto storage = open_store(small);
  for (int i = 0; i < committed; ++i) EXPECT_TRUE(read(*storage, kRows, std::to_string(i))) << i;
  EXPECT_EQ(read(*storage, kRows, "later"), "value");
}

TEST_P(HardTimes, do_not_end_after_a_failed_sync_or_write) {
  for (const FileOperation operation : {FileOperation::kSync, FileOperation::kAppend}) {
    if (operation == FileOperation::kSync && GetParam() != Durability::kSync) continue;
    heard_.clear();
    const auto storage = open_store(options());
    faults_->inject({.kind = FaultKind::kIoError, .operation = operation, .path_part = ".log", .times = 1});
    EXPECT_THAT(storage->commit(batch_of(kRows, "failed", "value")), fails_with(Code::kIo));
    const auto refused = storage->commit(batch_of(kRows, "refused", "value"));
    EXPECT_THAT(refused, fails_with(Code::kIo));
    EXPECT_THAT(refused.error().message(), HasSubstr("until it is reopened"));
    EXPECT_THAT(heard_, testing::ElementsAre("Io"));
  }
}

// The record stands in the log by then. A store that went on would bring back some of its rows and not others.
TEST_P(HardTimes, do_not_end_when_the_folder_of_a_new_log_could_not_be_synced) {
  if (GetParam() != Durability::kSync) GTEST_SKIP() << "nothing is synced";
  const auto storage = open_store(options());
  // The first sync is that of the log.
  faults_->inject(
      {.kind = FaultKind::kNoSpace, .operation = FileOperation::kSync, .path_part = "rocksdb", .skip = 1, .times = 1});
  EXPECT_THAT(storage->commit(batch_of(kRows, "failed", "value")),
              fails_with(Code::kIo, HasSubstr("folder of the log")));
  EXPECT_TRUE(faults_->has_fired());
  EXPECT_THAT(storage->commit(batch_of(kRows, "refused", "value")),
              fails_with(Code::kIo, HasSubstr("until it is reopened")));
}

TEST_P(HardTimes, are_noticed_when_the_directory_is_deleted_under_the_store) {
  const auto storage = open_store(options());
  must(storage->commit(batch_of(kRows, "before", "value")));
  std::filesystem::remove_all(temp_ / "data");
  const auto failed = commit_until_noticed(*storage);
  EXPECT_THAT(failed.error().message(), HasSubstr("deleted or moved"));
  EXPECT_EQ(read(*storage, kRows, "before"), "value");
}

TEST_P(HardTimes, are_noticed_when_the_directory_is_moved_away) {
  {
    const auto storage = open_store(options());
    must(storage->commit(batch_of(kRows, "before", "value")));
    std::filesystem::rename(temp_ / "data", temp_ / "moved");
    EXPECT_FALSE(commit_until_noticed(*storage));
  }
  std::filesystem::rename(temp_ / "moved", temp_ / "data");
  EXPECT_EQ(read(*open_store(options()), kRows, "before"), "value");
}

TEST_P(HardTimes, end_by_themselves_when_there_are_descriptors_again) {
  Options small = options();
  small.write_buffer_bytes = 64 << 10;
  small.faults = nullptr;
  const auto storage = open_store(small);
  rlimit usual = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
  rlimit few = usual;
  few.rlim_cur = 3;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  int committed = 0;
  Result<void> result;
  while ((result = storage->commit(batch_of(kRows, std::to_string(committed), std::string(1000, 'v'))))) ++committed;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_THAT(result, fails_with(Code::kIo));
  await_heard(2);
  must(storage->commit(batch_of(kRows, "later", "value")));
  for (int i = 0; i < committed; ++i) EXPECT_TRUE(read(*storage, kRows, std::to_string(i))) << i;
}

INSTANTIATE_TEST_SUITE_P(Durability, HardTimes, testing::Values(Durability::kSync, Durability::kOs),
                         [](const auto& test) { return test.param == Durability::kSync ? "sync" : "os"; });

}  // namespace
}  // namespace dolmen::storage
