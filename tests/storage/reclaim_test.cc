// Giving the space of removed rows back to the file system.

#include <gtest/gtest.h>
#include <limits>
#include <stop_token>
#include <thread>

#include "base/test_result.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::kNotes;
using test::kRows;
using test::must;

constexpr int kGroups = 3;
constexpr int kRowsOfGroup = 400;
constexpr std::size_t kRowBytes = 4096;

std::string row_key(int group, int row) { return std::to_string(group) + "/" + std::to_string(1000 + row); }

class Reclaim : public testing::Test {
 protected:
  Reclaim() : options_(test::options_for(temp_ / "data")) { options_.write_buffer_bytes = 64 << 10; }

  /// Fills three groups of rows, which share files.
  void fill(Storage& storage) {
    auto random = test::seeded_random();
    for (int row = 0; row < kRowsOfGroup; ++row)
      for (int group = 0; group < kGroups; ++group)
        must(storage.commit(test::batch_of(kRows, row_key(group, row), test::random_bytes(random, kRowBytes))));
  }

  static void remove_group(Storage& storage, const std::string& group) {
    Batch batch;
    batch.remove_range(kRows, {.lower = group + "/", .upper = group + "0"});
    must(storage.commit(std::move(batch)));
  }

  [[nodiscard]] std::uintmax_t file_bytes() const {
    std::uintmax_t bytes = 0;
    for (const auto& path : test::database_files(options_.directory, ".sst")) bytes += std::filesystem::file_size(path);
    return bytes;
  }

  static constexpr std::uintmax_t kGroupBytes = kRowsOfGroup * kRowBytes;

  const TemporaryDirectory temp_;
  Options options_;
};

TEST_F(Reclaim, shrinks_the_files_and_keeps_all_other_rows) {
  auto storage = test::open_store(options_);
  fill(*storage);
  must(storage->close());
  storage = test::open_store(options_);
  const auto kept = test::content(*storage, kRows, {.lower = "0/", .upper = "10"});
  const auto kept_after = test::content(*storage, kRows, {.lower = "2/"});
  remove_group(*storage, "1");
  EXPECT_TRUE(must(storage->reclaim(kRows, {.lower = "1/", .upper = "10"})));
  EXPECT_EQ(test::content(*storage, kRows, {.lower = "0/", .upper = "1/"}).size(), kRowsOfGroup);
  EXPECT_TRUE(test::content(*storage, kRows, {.lower = "1/", .upper = "10"}).empty());
  EXPECT_EQ(test::content(*storage, kRows, {.lower = "2/"}), kept_after);
  EXPECT_EQ(test::content(*storage, kRows, {.lower = "0/", .upper = "1/"}),
            test::Content(kept.begin(), kept.lower_bound("1/")));
  // RocksDB removes files that it has replaced in the background, and all of them before it is closed.
  must(storage->close());
  EXPECT_LT(file_bytes(), (kGroups - 1) * kGroupBytes * 5 / 4);
  EXPECT_GE(file_bytes(), (kGroups - 1) * kGroupBytes);
}

TEST_F(Reclaim, leaves_a_snapshot_what_it_sees) {
  const auto storage = test::open_store(options_);
  fill(*storage);
  const Snapshot before = storage->snapshot();
  const auto seen = test::content(*storage, kRows, {}, &before);
  remove_group(*storage, "1");
  EXPECT_TRUE(must(storage->reclaim(kRows, {.lower = "1/", .upper = "10"})));
  EXPECT_EQ(test::content(*storage, kRows, {}, &before), seen);
  EXPECT_EQ(test::content(*storage, kRows).size(), (kGroups - 1) * kRowsOfGroup);
}

TEST_F(Reclaim, never_brings_removed_rows_back) {
  auto random = test::seeded_random();
  const auto storage = test::open_store(options_);
  for (int round = 0; round < 5; ++round) {
    fill(*storage);
    const std::string group = std::to_string(std::uniform_int_distribution<int>(0, kGroups - 1)(random));
    remove_group(*storage, group);
    EXPECT_TRUE(must(storage->reclaim(kRows, {.lower = group + "/", .upper = group + "0"})));
    EXPECT_EQ(test::content(*storage, kRows).size(), (kGroups - 1) * kRowsOfGroup);
    EXPECT_TRUE(test::content(*storage, kRows, {.lower = group + "/", .upper = group + "0"}).empty());
  }
}

TEST_F(Reclaim, lets_others_commit_meanwhile) {
  const auto storage = test::open_store(options_);
  fill(*storage);
  remove_group(*storage, "1");
  std::jthread writer([&](const std::stop_token& stop) {
    for (int i = 0; !stop.stop_requested(); ++i)
      must(storage->commit(test::batch_of(kNotes, std::to_string(i), "note")));
  });
  EXPECT_TRUE(must(storage->reclaim(kRows, {.lower = "1/", .upper = "10"})));
  writer = {};
  EXPECT_EQ(test::content(*storage, kRows).size(), (kGroups - 1) * kRowsOfGroup);
  EXPECT_FALSE(test::content(*storage, kNotes).empty());
}

TEST_F(Reclaim, ends_early_when_it_is_stopped) {
  const auto storage = test::open_store(options_);
  fill(*storage);
  remove_group(*storage, "1");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(must(storage->reclaim(kRows, {.lower = "1/", .upper = "10"}, stop.get_token())));
  EXPECT_EQ(test::content(*storage, kRows).size(), (kGroups - 1) * kRowsOfGroup);
  EXPECT_TRUE(must(storage->reclaim(kRows, {.lower = "1/", .upper = "10"})));
}

TEST_F(Reclaim, works_in_memory) {
  const auto storage = test::open_store(test::options_for({}, Durability::kMemory));
  fill(*storage);
  remove_group(*storage, "1");
  EXPECT_TRUE(must(storage->reclaim(kRows, {.lower = "1/", .upper = "10"})));
  EXPECT_EQ(test::content(*storage, kRows).size(), (kGroups - 1) * kRowsOfGroup);
}

TEST_F(Reclaim, does_nothing_to_an_empty_range_and_fails_when_the_store_is_closed) {
  const auto storage = test::open_store(options_);
  EXPECT_TRUE(must(storage->reclaim(kRows, {.lower = "b", .upper = "a"})));
  must(storage->close());
  EXPECT_THAT(storage->reclaim(kRows, {.lower = "a", .upper = "b"}), fails_with(Code::kClosed));
  EXPECT_THAT(storage->free_bytes(), fails_with(Code::kClosed));
}

TEST_F(Reclaim, knows_the_free_space_of_the_disk) {
  const auto storage = test::open_store(options_);
  const std::uint64_t free = must(storage->free_bytes());
  EXPECT_GT(free, 0U);
  EXPECT_LE(free, std::filesystem::space(options_.directory).capacity);
  const auto in_memory = test::open_store(test::options_for({}, Durability::kMemory));
  EXPECT_EQ(must(in_memory->free_bytes()), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace dolmen::storage
