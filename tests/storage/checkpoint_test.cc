#include "storage/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/test_result.h"
#include "storage/fault_plan.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::batch_of;
using test::content;
using test::kNotes;
using test::kRows;
using test::must;
using test::open_store;
using test::options_for;
using test::read;

TEST(Checkpoint, opens_as_a_store_of_its_own) {
  for (const Durability durability : {Durability::kSync, Durability::kOs}) {
    const TemporaryDirectory temp;
    const auto storage = open_store(options_for(temp / "data", durability));
    must(storage->commit(batch_of(kRows, "key", "then")));
    must(storage->checkpoint(temp / "backups/monday"));
    must(storage->commit(batch_of(kRows, "key", "now")));

    const auto copy = open_store(options_for(temp / "backups/monday", durability));
    EXPECT_EQ(read(*copy, kRows, "key"), "then");
    must(copy->commit(batch_of(kRows, "key", "changed in the copy")));
    EXPECT_EQ(read(*storage, kRows, "key"), "now");
  }
}

TEST(Checkpoint, is_consistent_while_commits_go_on) {
  const TemporaryDirectory temp;
  Options options = options_for(temp / "data");
  options.write_buffer_bytes = 64 << 10;
  const auto storage = open_store(options);
  std::atomic<bool> finished = false;
  std::atomic<int> committed = 0;
  std::thread writer([&] {
    for (int i = 0; !finished; ++i) {
      Batch batch;
      batch.put(kRows, std::to_string(i), std::string(200, 'r'));
      batch.put(kNotes, std::to_string(i), std::string(200, 'n'));
      must(storage->commit(std::move(batch)));
      committed = i + 1;
    }
  });
  for (int i = 0; i < 5; ++i) {
    const int before = committed;
    const auto path = temp / ("copy" + std::to_string(i));
    must(storage->checkpoint(path));
    const auto copy = open_store(options_for(path));
    const auto rows = content(*copy, kRows);
    const auto notes = content(*copy, kNotes);
    EXPECT_GE(rows.size(), static_cast<std::size_t>(before));
    EXPECT_EQ(rows.size(), notes.size());
    for (const auto& [number, note] : notes) EXPECT_TRUE(rows.contains(number));
    for (std::size_t number = 0; number < rows.size(); ++number) EXPECT_TRUE(rows.contains(std::to_string(number)));
  }
  finished = true;
  writer.join();
}

TEST(Checkpoint, goes_to_a_missing_or_empty_directory_only) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for(temp / "data"));
  std::filesystem::create_directory(temp / "empty");
  must(storage->checkpoint(temp / "empty"));
  const auto again = storage->checkpoint(temp / "empty");
  ASSERT_FALSE(again);
  EXPECT_THAT(again, fails_with(Code::kForeignDirectory));
  EXPECT_THAT(again.error().message(), testing::HasSubstr(temp / "empty"));
  EXPECT_TRUE(Storage::open(options_for(temp / "empty")));

  test::write_content(temp / "file", "text");
  EXPECT_THAT(storage->checkpoint(temp / "file"), fails_with(Code::kDirectoryUnusable));
  EXPECT_THAT(storage->checkpoint(temp / "file/copy"), fails_with(Code::kDirectoryUnusable));
}

TEST(Checkpoint, that_fails_leaves_nothing_that_looks_like_a_store) {
  const TemporaryDirectory temp;
  Options options = options_for(temp / "data");
  options.faults = std::make_shared<FaultPlan>();
  const auto storage = open_store(options);
  must(storage->commit(batch_of(kRows, "key", "value")));
  options.faults->inject({.kind = FaultKind::kNoSpace, .operation = FileOperation::kAppend, .path_part = "/copy/"});
  const auto failed = storage->checkpoint(temp / "copy");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed, fails_with(Code::kNoSpace));
  EXPECT_TRUE(std::filesystem::is_empty(temp / "copy"));
  options.faults->clear();
  must(storage->checkpoint(temp / "copy"));
  EXPECT_EQ(read(*open_store(options_for(temp / "copy")), kRows, "key"), "value");
}

TEST(Checkpoint, of_a_store_in_memory_is_not_supported) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for({}, Durability::kMemory));
  EXPECT_THAT(storage->checkpoint(temp / "copy"), fails_with(Code::kUnsupported));
  EXPECT_FALSE(std::filesystem::exists(temp / "copy"));
}

}  // namespace
}  // namespace dolmen::storage
