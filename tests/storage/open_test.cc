// What opening a store refuses, and that refusing changes nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include "base/test_result.h"
#include "storage/fault_plan.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::batch_of;
using test::database_files;
using test::kRows;
using test::must;
using test::open_store;
using test::options_for;
using test::picture_of;
using test::read;
using testing::HasSubstr;

constexpr int kCommits = 20;

std::string key(int number) { return "key" + std::to_string(number); }

/// Makes a store with kCommits commits in its log, as a killed process leaves it.
void make_killed_store(const std::filesystem::path& directory) {
  Options options = options_for(directory, Durability::kSync);
  options.faults = std::make_shared<FaultPlan>();
  const auto storage = open_store(options);
  for (int i = 0; i < kCommits; ++i) {
    Batch batch = batch_of(kRows, key(i), std::string(100, 'v'));
    batch.log_data("note" + std::to_string(i));
    must(storage->commit(std::move(batch)));
  }
  options.faults->crash();  // What is in the log stays there.
}

/// Makes a store with its data in files.
void make_closed_store(const std::filesystem::path& directory) {
  const auto storage = open_store(options_for(directory));
  std::mt19937_64 random(1);
  for (int i = 0; i < kCommits; ++i) must(storage->commit(batch_of(kRows, key(i), test::random_bytes(random, 1000))));
  must(storage->close());
}

void damage(const std::filesystem::path& file, std::size_t offset) {
  std::string bytes = test::file_content(file);
  ASSERT_LT(offset, bytes.size());
  bytes[offset] = static_cast<char>(bytes[offset] ^ 0x55);
  test::write_content(file, bytes);
}

Error expect_refused_unchanged(const Options& options) {
  const auto before = picture_of(options.directory);
  const auto refused = Storage::open(options);
  EXPECT_FALSE(refused);
  EXPECT_EQ(picture_of(options.directory), before);
  return refused ? Error(Code::kIo, "was not refused") : refused.error();
}

std::filesystem::path only_log_with_data(const std::filesystem::path& directory) {
  for (const auto& log : database_files(directory, ".log")) {
    if (std::filesystem::file_size(log) > 0) return log;
  }
  throw std::runtime_error("no log");
}

TEST(Open, refuses_a_directory_that_is_open_in_this_process) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for(temp / "data"));
  const Error error = expect_refused_unchanged(options_for(temp / "data"));
  EXPECT_EQ(error.code(), Code::kDirectoryInUse);
  EXPECT_THAT(error.message(), HasSubstr(temp / "data"));
  must(storage->commit(batch_of(kRows, "key", "value")));
}

TEST(Open, gives_the_directory_free_when_the_store_is_closed) {
  const TemporaryDirectory temp;
  const auto first = open_store(options_for(temp / "data"));
  must(first->close());
  EXPECT_TRUE(Storage::open(options_for(temp / "data")));
}

TEST(Open, refuses_a_database_that_a_tool_of_rocksdb_has_open) {
  const TemporaryDirectory temp;
  open_store(options_for(temp / "data"));
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const auto* name : {"default", "rows", "notes"}) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  ASSERT_TRUE(rocksdb::DB::Open(rocksdb::DBOptions(), temp / "data/rocksdb", families, &handles, &db).ok());
  const auto refused = Storage::open(options_for(temp / "data"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kDirectoryInUse));
  for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
  delete db;
}

TEST(Open, refuses_a_foreign_directory) {
  const TemporaryDirectory temp;
  std::filesystem::create_directory(temp / "data");
  test::write_content(temp / "data/letter.txt", "dear");
  EXPECT_EQ(expect_refused_unchanged(options_for(temp / "data")).code(), Code::kForeignDirectory);
}

TEST(Open, refuses_another_format) {
  const TemporaryDirectory temp;
  make_killed_store(temp / "data");
  test::write_content(temp / "data/DOLMEN", "dolmen data directory, format 3\n");
  EXPECT_EQ(expect_refused_unchanged(options_for(temp / "data")).code(), Code::kFormatVersion);
}

TEST(Open, replays_the_log_of_a_killed_process) {
  const TemporaryDirectory temp;
  make_killed_store(temp / "data");
  const auto storage = open_store(options_for(temp / "data"));
  for (int i = 0; i < kCommits; ++i) EXPECT_TRUE(read(*storage, kRows, key(i)));
}

TEST(Open, drops_a_last_commit_that_was_never_synced_at_any_byte) {
  for (std::uint64_t kept = 0; kept < 150; kept += 7) {
    const TemporaryDirectory temp;
    Options options = options_for(temp / "data", Durability::kSync);
    options.faults = std::make_shared<FaultPlan>();
    {
      const auto storage = open_store(options);
      options.faults->inject(
          {.kind = FaultKind::kPowerCut, .operation = FileOperation::kSync, .path_part = ".log", .skip = kCommits - 1});
      for (int i = 0; i < kCommits; ++i) {
        EXPECT_EQ(storage->commit(batch_of(kRows, key(i), std::string(100, 'v'))).has_value(), i < kCommits - 1);
      }
    }
    options.faults->drop_unsynced([&](std::uint64_t unsynced) { return std::min(kept, unsynced); });
    const auto storage = open_store(options_for(temp / "data"));
    const bool whole = read(*storage, kRows, key(kCommits - 1)).has_value();
    // Zeros at the end may as well be reserved space.
    EXPECT_EQ(storage->recovery().torn_bytes > 0, !whole && kept > 0);
    EXPECT_LE(storage->recovery().torn_bytes, kept);
    for (int i = 0; i < kCommits - 1; ++i) EXPECT_TRUE(read(*storage, kRows, key(i))) << i;
  }
}

TEST(Open, refuses_a_log_that_is_damaged_before_its_end_and_names_it) {
  const TemporaryDirectory temp;
  make_killed_store(temp / "data");
  const auto log = only_log_with_data(temp / "data");
  damage(log, std::filesystem::file_size(log) / 2);
  const Error error = expect_refused_unchanged(options_for(temp / "data"));
  EXPECT_EQ(error.code(), Code::kCorruption);
  EXPECT_THAT(error.message(), HasSubstr(log.filename()));
  EXPECT_THAT(error.message(), HasSubstr("is damaged"));
  EXPECT_THAT(error.message(), HasSubstr("Nothing has been changed"));
}

TEST(Open, refuses_a_damaged_list_of_files_and_names_it) {
  const TemporaryDirectory temp;
  make_closed_store(temp / "data");
  const auto manifest = database_files(temp / "data", "MANIFEST").at(0);
  damage(manifest, std::filesystem::file_size(manifest) / 2);
  const Error error = expect_refused_unchanged(options_for(temp / "data"));
  EXPECT_EQ(error.code(), Code::kCorruption);
  EXPECT_THAT(error.message(), HasSubstr("MANIFEST"));
  EXPECT_THAT(error.message(), HasSubstr("Nothing has been changed"));
}

TEST(Open, refuses_a_store_of_which_a_file_is_missing_and_names_it) {
  for (const auto* part : {"CURRENT", "MANIFEST", ".sst"}) {
    const TemporaryDirectory temp;
    make_closed_store(temp / "data");
    const auto file = database_files(temp / "data", part).at(0);
    std::filesystem::remove(file);
    const Error error = expect_refused_unchanged(options_for(temp / "data"));
    EXPECT_EQ(error.code(), Code::kCorruption) << error.message();
    EXPECT_THAT(error.message(), HasSubstr(file.stem()));
    EXPECT_THAT(error.message(), HasSubstr("Nothing has been changed"));
  }
}

TEST(Open, refuses_a_store_of_which_the_database_is_missing) {
  const TemporaryDirectory temp;
  make_closed_store(temp / "data");
  std::filesystem::remove_all(temp / "data/rocksdb");
  EXPECT_EQ(expect_refused_unchanged(options_for(temp / "data")).code(), Code::kCorruption);
}

TEST(Open, refuses_a_data_file_that_was_cut_short) {
  const TemporaryDirectory temp;
  make_closed_store(temp / "data");
  const auto file = database_files(temp / "data", ".sst").at(0);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const Error error = expect_refused_unchanged(options_for(temp / "data"));
  EXPECT_EQ(error.code(), Code::kCorruption) << error.message();
}

TEST(Open, shows_the_log_data_of_every_replayed_commit_before_anything_is_changed) {
  const TemporaryDirectory temp;
  make_killed_store(temp / "data");
  std::vector<std::string> seen;
  Options options = options_for(temp / "data");
  options.inspect_log = [&seen](std::string_view bytes) -> Result<void> {
    seen.emplace_back(bytes);
    if (seen.size() == 3) return std::unexpected(Error(Code::kValidation, "no such schema"));
    return {};
  };
  EXPECT_EQ(expect_refused_unchanged(options), Error(Code::kValidation, "no such schema"));
  EXPECT_THAT(seen, testing::ElementsAre("note0", "note1", "note2"));

  seen.assign(5, "");
  const auto storage = open_store(options);
  EXPECT_EQ(seen.size(), 5U + kCommits);
  EXPECT_EQ(seen.back(), "note" + std::to_string(kCommits - 1));
  EXPECT_TRUE(read(*storage, kRows, key(0)));
}

TEST(Open, leaves_no_log_to_replay_after_a_clean_close) {
  const TemporaryDirectory temp;
  {
    Batch batch = batch_of(kRows, "key", "value");
    batch.log_data("note");
    must(open_store(options_for(temp / "data"))->commit(std::move(batch)));
  }
  int seen = 0;
  Options options = options_for(temp / "data");
  options.inspect_log = [&seen](std::string_view) -> Result<void> { return ++seen, Result<void>(); };
  EXPECT_EQ(read(*open_store(options), kRows, "key"), "value");
  EXPECT_EQ(seen, 0);
}

TEST(Open, reports_a_full_disk_and_starts_again_later) {
  const TemporaryDirectory temp;
  Options options = options_for(temp / "data");
  options.faults = std::make_shared<FaultPlan>();
  options.faults->inject({.kind = FaultKind::kNoSpace, .operation = FileOperation::kAppend});
  const auto refused = Storage::open(options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kNoSpace));
  options.faults->clear();
  EXPECT_TRUE(Storage::open(options));
}

TEST(Read, reports_damage_instead_of_wrong_or_missing_data) {
  const TemporaryDirectory temp;
  make_closed_store(temp / "data");
  damage(database_files(temp / "data", ".sst").at(0), 100);
  const auto storage = open_store(options_for(temp / "data"));
  std::string value;
  const auto got = storage->get(kRows, key(0), value);
  ASSERT_FALSE(got);
  EXPECT_THAT(got, fails_with(Code::kCorruption));
  EXPECT_THAT(got.error().message(), HasSubstr(".sst"));

  Iterator iterator = storage->iterate(kRows, {});
  for (iterator.seek_first(); iterator.valid(); iterator.next()) {}
  ASSERT_FALSE(iterator.status());
  EXPECT_THAT(iterator.status(), fails_with(Code::kCorruption));
  for (iterator.seek_last(); iterator.valid(); iterator.prev()) {}
  EXPECT_FALSE(iterator.status());
}

TEST(Read, reports_a_disk_that_cannot_be_read) {
  const TemporaryDirectory temp;
  make_closed_store(temp / "data");
  Options options = options_for(temp / "data");
  options.faults = std::make_shared<FaultPlan>();
  const auto storage = open_store(options);
  options.faults->inject({.operation = FileOperation::kRead, .path_part = ".sst"});
  std::string value;
  const auto got = storage->get(kRows, key(0), value);
  ASSERT_FALSE(got);
  EXPECT_THAT(got, fails_with(Code::kIo));
  Iterator iterator = storage->iterate(kRows, {});
  iterator.seek_first();
  EXPECT_FALSE(iterator.valid());
  EXPECT_THAT(iterator.status(), fails_with(Code::kIo));
}

}  // namespace
}  // namespace dolmen::storage
