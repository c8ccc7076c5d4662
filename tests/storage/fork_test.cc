#include "storage/fork.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "base/test_result.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::batch_of;
using test::content;
using test::file_content;
using test::kRows;
using test::must;
using test::open_store;
using test::options_for;
using test::read;

/// Every file below a folder, with its content.
std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.emplace(entry.path().lexically_relative(folder), file_content(entry.path()));
  return files;
}

TEST(Fork, is_a_store_that_goes_its_own_way) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for(temp / "data"));
  must(storage->commit(batch_of(kRows, "key", "then")));
  must(storage->fork(temp / "fork"));
  must(storage->commit(batch_of(kRows, "key", "now")));
  const auto fork = open_store(options_for(temp / "fork"));
  EXPECT_EQ(read(*fork, kRows, "key"), "then");
  must(fork->commit(batch_of(kRows, "key", "changed in the fork")));
  EXPECT_EQ(read(*storage, kRows, "key"), "now");
}

TEST(Fork, takes_the_other_files_of_the_directory_along) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for(temp / "data"));
  std::filesystem::create_directories(temp / "data/metadata/schemas");
  std::ofstream(temp / "data/metadata/schemas/a.json") << "{}";
  std::ofstream(temp / "data/metadata/unfinished.tmp") << "half";
  must(storage->fork(temp / "fork"));
  EXPECT_EQ(file_content(temp / "fork/metadata/schemas/a.json"), "{}");
  EXPECT_FALSE(std::filesystem::exists(temp / "fork/metadata/unfinished.tmp"));
  // A copy and not a link: whoever appends to it changes only its own.
  EXPECT_EQ(std::filesystem::hard_link_count(temp / "fork/metadata/schemas/a.json"), 1U);
}

TEST(Fork, shares_the_files_of_tables) {
  const TemporaryDirectory temp;
  {
    const auto storage = open_store(options_for(temp / "data"));
    must(storage->commit(batch_of(kRows, "key", "value")));
  }
  must(fork_directory(temp / "data", temp / "fork"));
  std::size_t shared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(temp / "fork/rocksdb"))
    shared += entry.path().extension() == ".sst" && entry.hard_link_count() == 2 ? 1 : 0;
  EXPECT_GT(shared, 0U);
}

TEST(Fork, of_a_directory_changes_no_byte_of_it) {
  const TemporaryDirectory temp;
  {
    const auto storage = open_store(options_for(temp / "data"));
    for (int i = 0; i < 100; ++i) must(storage->commit(batch_of(kRows, std::to_string(i), "value")));
  }
  const auto before = files_of(temp / "data");
  for (const char* name : {"one", "two"}) {
    must(fork_directory(temp / "data", temp / name));
    const auto fork = open_store(options_for(temp / name));
    EXPECT_EQ(content(*fork, kRows).size(), 100U);
    for (int i = 0; i < 100; ++i) must(fork->commit(batch_of(kRows, std::to_string(i), "changed")));
  }
  EXPECT_EQ(files_of(temp / "data"), before);
}

TEST(Fork, of_a_directory_has_what_only_the_log_has) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for(temp / "data"));
  must(storage->commit(batch_of(kRows, "key", "in the log")));
  // What a crash leaves, because the lock of the store keeps others from copying its directory.
  std::filesystem::copy(temp / "data", temp / "crashed", std::filesystem::copy_options::recursive);
  must(fork_directory(temp / "crashed", temp / "fork"));
  EXPECT_EQ(read(*open_store(options_for(temp / "fork")), kRows, "key"), "in the log");
}

TEST(Fork, is_refused_when_it_cannot_be_and_leaves_nothing) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for(temp / "data"));
  EXPECT_THAT(fork_directory(temp / "data", temp / "fork"), fails_with(Code::kDirectoryInUse));
  EXPECT_THAT(fork_directory(temp / "none", temp / "fork"), fails_with(Code::kDirectoryUnusable));
  std::filesystem::create_directory(temp / "empty");
  EXPECT_THAT(fork_directory(temp / "empty", temp / "fork"), fails_with(Code::kForeignDirectory));
  EXPECT_FALSE(std::filesystem::exists(temp / "fork"));
  EXPECT_THAT(storage->fork(temp / "data/inside"), fails_with(Code::kInvalidArgument));
  EXPECT_FALSE(std::filesystem::exists(temp / "data/inside"));
  std::filesystem::create_directory(temp / "full");
  std::ofstream(temp / "full/file") << "mine";
  EXPECT_THAT(storage->fork(temp / "full"), fails_with(Code::kForeignDirectory));
  EXPECT_EQ(files_of(temp / "full").size(), 1U);
}

TEST(Fork, of_a_store_in_memory_has_all_rows) {
  const auto storage = open_store(options_for("", Durability::kMemory));
  for (int i = 0; i < 100; ++i) must(storage->commit(batch_of(kRows, std::to_string(i), std::string(50'000, 'x'))));
  const auto fork = open_store(options_for("", Durability::kMemory));
  must(storage->copy_rows_to(*fork));
  EXPECT_EQ(content(*fork, kRows), content(*storage, kRows));
}

}  // namespace
}  // namespace dolmen::storage
