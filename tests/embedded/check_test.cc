// Stores that nobody has open: they are checked, and what can be read of them is saved.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "dolmen/embedded.h"
#include "embedded/check.h"
#include "embedded/repair.h"
#include "embedded/table_key_file.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;

const StoreCheck::Progress kNoProgress = [](const auto&...) { return true; };

class ClosedStore : public testing::Test {
 protected:
  ClosedStore() {
    const std::unique_ptr<Store> store = open_embedded({.directory = data_}).value();
    EXPECT_THAT(store->create_table({.name = "notes", .partition_key = {"id"}}), succeeds());
    EXPECT_THAT(store->put_item("notes", {{"id", "a"}}), succeeds());
  }

  Result<RepairReport> repair() { return repair_directory(data_, to_, kNoProgress); }

  const TemporaryDirectory folder_;
  const std::string data_ = folder_ / "data";
  const std::string to_ = folder_ / "repaired";
};

TEST_F(ClosedStore, is_checked_without_keys_of_tables) {
  const Result<StoreCheckReport> report = check_directory(data_, kNoProgress);
  ASSERT_THAT(report, succeeds());
  EXPECT_EQ(report->items, 1U);
  EXPECT_THAT(report->problems, testing::IsEmpty());
}

TEST_F(ClosedStore, is_not_checked_when_it_is_open_or_not_a_store) {
  const std::unique_ptr<Store> store = open_embedded({.directory = data_}).value();
  EXPECT_THAT(check_directory(data_, kNoProgress), fails_with(Code::kDirectoryInUse));
  fs::create_directory(folder_ / "other");
  std::ofstream(folder_ / "other/file") << "text";
  EXPECT_THAT(check_directory(folder_ / "other", kNoProgress), fails_with(Code::kForeignDirectory));
}

TEST_F(ClosedStore, is_not_checked_without_the_keys_that_are_named) {
  EXPECT_THAT(check_directory(data_, kNoProgress, folder_ / "none.json"), fails_with(Code::kEncryptionNotConfigured));
  EXPECT_THAT(open_table_keys(folder_ / "none.json"), fails_with(Code::kEncryptionNotConfigured));
}

TEST_F(ClosedStore, is_saved_into_a_directory_that_is_missing_or_empty) {
  EXPECT_EQ(repair().value().items, 1U);
  EXPECT_FALSE(fs::exists(to_ + ".salvage"));
  fs::remove_all(to_);
  fs::create_directory(to_);
  EXPECT_EQ(repair().value().items, 1U);
}

TEST_F(ClosedStore, is_not_saved_where_something_is) {
  fs::create_directory(to_);
  std::ofstream(fs::path(to_) / "file") << "text";
  EXPECT_THAT(repair(), fails_with(Code::kForeignDirectory));
  fs::remove_all(to_);
  fs::create_directory(to_ + ".salvage");
  std::ofstream(fs::path(to_ + ".salvage") / "file") << "text";
  EXPECT_THAT(repair(), fails_with(Code::kForeignDirectory));
  EXPECT_TRUE(fs::exists(fs::path(to_ + ".salvage") / "file"));
}

}  // namespace
}  // namespace dolmen
