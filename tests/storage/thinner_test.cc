// Old versions of rows that are replaced over and over, and how readers get rid of them.
#include "storage/thinner.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include "storage/version_count.h"
#include "test_support.h"

namespace dolmen::storage::test {
namespace {

constexpr int kRowCount = 100;
constexpr int kVersions = 30;

Options options_of(const TemporaryDirectory& directory) {
  Options options = options_for(directory.path());
  options.write_buffer_bytes = std::size_t{16} << 20;
  return options;
}

std::string key_of(int row) { return std::to_string(1000 + row); }

/// Three megabytes, of which only the last version counts.
void replace_all(Storage& storage) {
  for (int version = 0; version < kVersions; ++version) {
    Batch batch;
    for (int row = 0; row < kRowCount; ++row)
      batch.put(kRows, key_of(row), std::to_string(version) + std::string(1000, 'x'));
    must(storage.commit(std::move(batch)));
  }
}

struct Walk {
  std::uint64_t rows = 0;
  std::uint64_t passed = 0;
};

Walk walk(const Storage& storage) {
  Walk seen;
  const VersionCount versions;
  Iterator row = storage.iterate(kRows, {});
  for (row.seek_first(); row.valid(); row.next()) ++seen.rows;
  must(row.status());
  seen.passed = versions.passed();
  return seen;
}

/// The same without a Storage around it.
class BareThinner : public testing::Test {
 protected:
  BareThinner() {
    for (int version = 0; version < kVersions; ++version)
      for (int row = 0; row < kRowCount; ++row) put(key_of(row));
  }

  void put(const std::string& key) {
    const rocksdb::Status status = database_->db().Put({}, database_->family(kRows), key, std::string(1000, 'x'));
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  std::uint64_t files() {
    std::vector<rocksdb::LiveFileMetaData> live;
    database_->db().GetLiveFilesMetaData(&live);
    return live.size();
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Database> database_ = must(Database::open(options_of(directory_)));
};

TEST_F(BareThinner, writes_a_buffer_of_old_versions_to_a_file) {
  Thinner thinner(*database_);
  thinner.tell(kRows, kRowCount, kRowCount * Thinner::kPassedPerRowMin);
  thinner.wait_until_idle();
  EXPECT_EQ(files(), 1);
}

TEST_F(BareThinner, leaves_a_buffer_with_few_old_versions_alone) {
  Thinner thinner(*database_);
  thinner.tell(kRows, kRowCount, kRowCount * Thinner::kPassedPerRowMin - 1);
  thinner.tell(kRows, 1, Thinner::kPassedMin - 1);
  thinner.wait_until_idle();
  EXPECT_EQ(files(), 0);
}

TEST_F(BareThinner, leaves_a_small_buffer_alone) {
  Thinner thinner(*database_);
  thinner.tell(kNotes, 1, Thinner::kPassedMin);
  thinner.wait_until_idle();
  EXPECT_EQ(files(), 0);
}

TEST_F(BareThinner, ignores_some_reads_after_one_that_was_not_worth_it) {
  Thinner thinner(*database_);
  thinner.tell(kNotes, 1, Thinner::kPassedMin);
  thinner.wait_until_idle();
  for (int i = 0; i < Thinner::kIgnoredReads; ++i) thinner.tell(kRows, 1, Thinner::kPassedMin);
  thinner.wait_until_idle();
  EXPECT_EQ(files(), 0);
  thinner.tell(kRows, 1, Thinner::kPassedMin);
  thinner.wait_until_idle();
  EXPECT_EQ(files(), 1);
}

TEST_F(BareThinner, does_nothing_once_it_was_stopped) {
  Thinner thinner(*database_);
  thinner.stop();
  thinner.tell(kRows, 1, Thinner::kPassedMin);
  EXPECT_EQ(files(), 0);
}

TEST(Thinner, lets_later_reads_of_a_store_pass_only_the_rows) {
  const TemporaryDirectory directory;
  const auto storage = open_store(options_of(directory));
  replace_all(*storage);
  Walk seen = walk(*storage);
  EXPECT_EQ(seen.rows, kRowCount);
  EXPECT_GE(seen.passed, kRowCount * Thinner::kPassedPerRowMin);
  // It happens on another thread, within some milliseconds.
  for (int tries = 0; seen.passed > seen.rows && tries < 100'000; ++tries) {
    storage->tell_passed(kRows, seen.rows, seen.passed);
    seen = walk(*storage);
  }
  EXPECT_EQ(seen.passed, kRowCount);
  EXPECT_EQ(seen.rows, kRowCount);
  EXPECT_EQ(read(*storage, kRows, key_of(0)), std::to_string(kVersions - 1) + std::string(1000, 'x'));
}

TEST(VersionCount, counts_only_what_is_passed_while_it_lives) {
  const TemporaryDirectory directory;
  const auto storage = open_store(options_of(directory));
  replace_all(*storage);
  EXPECT_GT(walk(*storage).passed, 0);
  const VersionCount later;
  EXPECT_EQ(later.passed(), 0);
}

}  // namespace
}  // namespace dolmen::storage::test
