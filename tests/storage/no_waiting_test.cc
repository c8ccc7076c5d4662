#include "storage/no_waiting.h"

#include <fmt/format.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include "cold_files.h"
#include "storage/counters.h"
#include "storage/patient_read.h"
#include "storage/unwaiting_files.h"
#include "test_support.h"

/// What a thread reads that must not wait for the disk.
namespace dolmen::storage::test {
namespace {

constexpr int kRowCount = 400;

std::string key_of(int row) { return fmt::format("{:05}", row); }

/// Large enough for a block of its own, and for the pages around it to be another row's.
std::string value_of(int row) {
  std::mt19937_64 random(static_cast<std::uint64_t>(row));
  return random_bytes(random, 20'000);
}

/// Adds to the one counter.
Batch counting(std::int64_t amount) {
  Batch batch;
  batch.add(kNotes, "counter", std::vector{amount});
  return batch;
}

/// A store whose rows are in files that RocksDB has opened, and in no cache.
class ColdStore : public testing::Test {
 protected:
  void SetUp() override {
    {
      const auto writing = open_store(options_for(directory_.path()));
      for (int row = 0; row < kRowCount; ++row) must(writing->commit(batch_of(kRows, key_of(row), value_of(row))));
      must(writing->commit(counting(5)));
      must(writing->close());
    }
    Options options = options_for(directory_.path());
    options.block_cache_bytes = 0;
    store_ = open_store(options);
    DOLMEN_COOL_OR_SKIP(directory_.path());
  }

  std::uint64_t counted(const std::string& name) const {
    metrics::Report report;
    store_->describe(report);
    const std::string text = report.text();
    const std::string line = "\n" + name + " ";
    return std::stoull(text.substr(text.find(line) + line.size()));
  }
  std::uint64_t cold_reads() const { return counted("dolmen_cold_reads_total"); }

  TemporaryDirectory directory_;
  std::unique_ptr<Storage> store_;
};

TEST_F(ColdStore, refuses_a_read_that_would_wait_and_carries_out_the_same_one_that_may) {
  std::string value;
  NoWaiting attempt;
  EXPECT_FALSE(store_->get(kRows, key_of(7), value));
  EXPECT_TRUE(attempt.has_refused());
  EXPECT_TRUE(store_->would_wait(attempt));
  EXPECT_EQ(read(*store_, kRows, key_of(7)), value_of(7));
  EXPECT_EQ(cold_reads(), 1U);
}

TEST_F(ColdStore, reads_what_the_kernel_has_in_memory) {
  ASSERT_EQ(read(*store_, kRows, key_of(7)), value_of(7));
  NoWaiting attempt;
  EXPECT_EQ(read(*store_, kRows, key_of(7)), value_of(7));
  EXPECT_FALSE(store_->would_wait(attempt));
  EXPECT_EQ(cold_reads(), 0U);
}

TEST_F(ColdStore, brings_many_rows_into_memory_at_once) {
  std::vector<std::string> keys;
  for (int row = 3; row < kRowCount; row += 17) keys.push_back(key_of(row));
  keys.emplace_back("a row that is not there");
  store_->warm(kRows, keys);
  NoWaiting attempt;
  for (int row = 3; row < kRowCount; row += 17) EXPECT_EQ(read(*store_, kRows, key_of(row)), value_of(row));
  EXPECT_FALSE(store_->would_wait(attempt));
}

TEST_F(ColdStore, ends_a_walk_where_it_would_wait) {
  ASSERT_EQ(read(*store_, kRows, key_of(0)), value_of(0));
  {
    NoWaiting attempt;
    Iterator rows = store_->iterate(kRows, {});
    int seen = 0;
    for (rows.seek_first(); rows.valid(); rows.next()) ++seen;
    EXPECT_FALSE(rows.status());
    EXPECT_LT(seen, kRowCount);
    EXPECT_TRUE(store_->would_wait(attempt));
  }
  EXPECT_EQ(content(*store_, kRows).size(), static_cast<std::size_t>(kRowCount));
}

TEST_F(ColdStore, takes_writes_and_works_on_its_files_after_a_refusal) {
  std::string value;
  {
    const NoWaiting attempt;
    ASSERT_FALSE(store_->get(kRows, key_of(9), value));
  }
  ASSERT_TRUE(store_->commit(batch_of(kRows, key_of(9), "new")));
  ASSERT_TRUE(store_->rewrite_files(kRows, {.lower = "0", .upper = "9"}));
  EXPECT_FALSE(store_->write_failure());
  EXPECT_EQ(read(*store_, kRows, key_of(9)), "new");
  EXPECT_EQ(content(*store_, kRows).size(), static_cast<std::size_t>(kRowCount));
}

TEST_F(ColdStore, leaves_a_write_whose_counter_is_cold_to_the_thread_of_commits) {
  must(store_->commit(counting(1)));
  EXPECT_EQ(counted("dolmen_inline_commits_total"), 0U);
  must(store_->commit(counting(1)));
  EXPECT_EQ(counted("dolmen_inline_commits_total"), 1U) << "now it is in memory";
  EXPECT_EQ(must(decode_counters(read(*store_, kNotes, "counter").value())), std::vector<std::int64_t>{7});
}

TEST_F(ColdStore, waits_outside_of_an_attempt_and_around_an_inner_one) {
  std::string value;
  NoWaiting outer;
  {
    NoWaiting inner;
    EXPECT_FALSE(store_->get(kRows, key_of(3), value));
    EXPECT_TRUE(store_->would_wait(inner));
    EXPECT_EQ(NoWaiting::current(), &outer);
  }
  EXPECT_FALSE(outer.has_refused());
  outer.end();
  EXPECT_EQ(NoWaiting::current(), nullptr);
  const NoWaiting none(false);
  EXPECT_EQ(NoWaiting::current(), nullptr);
}

TEST(NoWaiting, opens_no_table_and_lets_it_be_opened_later) {
  const TemporaryDirectory directory;
  const std::string path = directory / "000001.sst";
  write_content(path, "a table");
  const auto files = make_unwaiting_files(rocksdb::FileSystem::Default());
  std::unique_ptr<rocksdb::FSRandomAccessFile> table;
  NoWaiting attempt;
  EXPECT_TRUE(files->NewRandomAccessFile(path, {}, &table, nullptr).IsBusy());
  EXPECT_TRUE(attempt.has_refused());
  attempt.end();
  ASSERT_TRUE(files->NewRandomAccessFile(path, {}, &table, nullptr).ok());
  char bytes[16];
  rocksdb::Slice got;
  ASSERT_TRUE(table->Read(2, sizeof bytes, {}, &got, bytes, nullptr).ok());
  EXPECT_EQ(got.ToStringView(), "table");
  EXPECT_TRUE(files->NewRandomAccessFile(directory / "000002.sst", {}, &table, nullptr).IsPathNotFound());
}

TEST(NoWaiting, does_not_read_while_another_thread_opens_a_table) {
  const TemporaryDirectory directory;
  const auto store = open_store(options_for(directory / "store"));
  must(store->commit(batch_of(kRows, "key", "value")));
  write_content(directory / "000001.sst", "a table");
  const auto files = make_unwaiting_files(rocksdb::FileSystem::Default());
  const auto is_refused = [&] {
    NoWaiting attempt;
    std::string value;
    const bool got = store->get(kRows, "key", value).has_value();
    Iterator rows = store->iterate(kRows, {});
    rows.seek_first();
    EXPECT_EQ(rows.valid(), got);
    EXPECT_EQ(rows.status().has_value(), got);
    EXPECT_EQ(attempt.has_refused(), !got);
    return !got;
  };
  {
    const PatientRead step;
    EXPECT_FALSE(is_refused());
    std::unique_ptr<rocksdb::FSRandomAccessFile> table;
    ASSERT_TRUE(files->NewRandomAccessFile(directory / "000001.sst", {}, &table, nullptr).ok());
    EXPECT_TRUE(is_refused());
    std::string value;
    EXPECT_TRUE(store->get(kRows, "key", value)) << "who may wait does";
  }
  EXPECT_FALSE(is_refused());
}

TEST(NoWaiting, refuses_nothing_of_a_store_in_memory) {
  const auto store = open_store(options_for({}, Durability::kMemory));
  must(store->commit(batch_of(kRows, "key", "value")));
  NoWaiting attempt;
  EXPECT_EQ(read(*store, kRows, "key"), "value");
  EXPECT_FALSE(store->would_wait(attempt));
}

}  // namespace
}  // namespace dolmen::storage::test
