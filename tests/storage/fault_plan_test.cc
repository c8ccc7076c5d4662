// The tool that other tests rely on: faults hit what they name, and a power cut takes what was not synced.

#include "storage/fault_plan.h"

#include <gtest/gtest.h>
#include <thread>

#include "storage/unsynced_files.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::file_content;
using test::write_content;

TEST(FaultPlan, fails_the_operations_it_names_and_no_other) {
  FaultPlan plan;
  plan.inject({.kind = FaultKind::kNoSpace, .operation = FileOperation::kAppend, .path_part = ".log"});
  EXPECT_EQ(plan.begin(FileOperation::kAppend, "dir/1.log"), FaultKind::kNoSpace);
  EXPECT_EQ(plan.begin(FileOperation::kSync, "dir/1.log"), std::nullopt);
  EXPECT_EQ(plan.begin(FileOperation::kAppend, "dir/1.sst"), std::nullopt);
  plan.clear();
  EXPECT_EQ(plan.begin(FileOperation::kAppend, "dir/1.log"), std::nullopt);
}

TEST(FaultPlan, fails_as_often_and_as_late_as_it_is_told) {
  FaultPlan plan;
  plan.inject({.operation = FileOperation::kSync, .skip = 2, .times = 1});
  std::vector<bool> failed;
  for (int i = 0; i < 5; ++i) failed.push_back(plan.begin(FileOperation::kSync, "file").has_value());
  EXPECT_EQ(failed, (std::vector{false, false, true, false, false}));
}

TEST(FaultPlan, counts_operations_by_kind_and_path) {
  FaultPlan plan;
  for (const auto* path : {"1.log", "1.log", "2.sst"}) plan.begin(FileOperation::kSync, path);
  plan.begin(FileOperation::kRead, "1.log");
  EXPECT_EQ(plan.count(FileOperation::kSync), 3U);
  EXPECT_EQ(plan.count(FileOperation::kSync, ".log"), 2U);
  EXPECT_EQ(plan.count(FileOperation::kRead, ".sst"), 0U);
}

TEST(FaultPlan, holds_matching_operations_until_they_are_released) {
  FaultPlan plan;
  plan.hold(FileOperation::kSync, ".log");
  EXPECT_EQ(plan.begin(FileOperation::kSync, "1.sst"), std::nullopt);
  std::atomic<bool> passed = false;
  std::thread held([&] {
    plan.begin(FileOperation::kSync, "1.log");
    passed = true;
  });
  plan.await_held();
  EXPECT_FALSE(passed);
  plan.release();
  held.join();
  EXPECT_TRUE(passed);
}

TEST(FaultPlan, fails_everything_while_the_power_is_off) {
  FaultPlan plan;
  plan.inject({.kind = FaultKind::kPowerCut, .skip = 1});
  EXPECT_EQ(plan.begin(FileOperation::kOpen, "file"), std::nullopt);
  EXPECT_FALSE(plan.has_crashed());
  EXPECT_EQ(plan.begin(FileOperation::kAppend, "file"), FaultKind::kPowerCut);
  EXPECT_TRUE(plan.has_crashed());
  plan.clear();
  EXPECT_EQ(plan.begin(FileOperation::kRead, "other"), FaultKind::kPowerCut);
  plan.drop_unsynced();
  EXPECT_EQ(plan.begin(FileOperation::kRead, "other"), std::nullopt);
}

class UnsyncedFilesTest : public testing::Test {
 protected:
  std::string path(std::string_view name) const { return temp_ / name; }

  void create(std::string_view name, std::string_view content) {
    write_content(path(name), content);
    files_.created(path(name));
    files_.appended(path(name), content.size());
  }

  void rename(std::string_view from, std::string_view to) {
    files_.renaming(path(from), path(to));
    std::filesystem::rename(path(from), path(to));
  }

  const TemporaryDirectory temp_;
  UnsyncedFiles files_;
};

TEST_F(UnsyncedFilesTest, are_cut_to_what_was_synced) {
  create("file", "synced");
  files_.synced(path("file"));
  files_.directory_synced(temp_.path());
  write_content(path("file"), "synced and more");
  files_.appended(path("file"), 9);
  files_.drop({});
  EXPECT_EQ(file_content(path("file")), "synced");
}

TEST_F(UnsyncedFilesTest, keep_as_many_unsynced_bytes_as_are_said_to_survive) {
  create("file", "0123456789");
  files_.directory_synced(temp_.path());
  files_.drop([](std::uint64_t unsynced) { return unsynced / 2; });
  EXPECT_EQ(file_content(path("file")), "01234");
}

TEST_F(UnsyncedFilesTest, are_gone_when_their_directory_was_not_synced) {
  create("file", "synced");
  files_.synced(path("file"));
  files_.drop({});
  EXPECT_FALSE(std::filesystem::exists(path("file")));
}

TEST_F(UnsyncedFilesTest, are_left_alone_when_they_were_there_before) {
  write_content(path("old"), "content");
  files_.drop({});
  EXPECT_EQ(file_content(path("old")), "content");
}

TEST_F(UnsyncedFilesTest, were_not_renamed_when_their_directory_was_not_synced) {
  create("current", "old");
  files_.synced(path("current"));
  files_.directory_synced(temp_.path());
  for (const auto* content : {"newer", "newest"}) {
    create("temporary", content);
    files_.synced(path("temporary"));
    rename("temporary", "current");
  }
  files_.drop({});
  EXPECT_EQ(file_content(path("current")), "old");
}

TEST_F(UnsyncedFilesTest, are_renamed_when_their_directory_was_synced) {
  create("current", "old");
  files_.synced(path("current"));
  create("temporary", "new");
  files_.synced(path("temporary"));
  rename("temporary", "current");
  files_.directory_synced(temp_.path());
  files_.drop({});
  EXPECT_EQ(file_content(path("current")), "new");
  EXPECT_FALSE(std::filesystem::exists(path("temporary")));
}

}  // namespace
}  // namespace dolmen::storage
