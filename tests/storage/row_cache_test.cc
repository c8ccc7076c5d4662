// Rows that stay in memory because they are read again and again, and what writers do about them.
#include "storage/row_cache.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "base/hash.h"
#include "test_support.h"

namespace dolmen::storage::test {
namespace {

constexpr std::size_t kBytesMax = 64 * 1024;
constexpr std::uint64_t kSeed = 0;

/// A store without a database: what it shows is told by the tests.
class RowCacheTest : public testing::Test {
 protected:
  /// Reads as Storage does; `stored` is what the store has. Whether the row was in the cache.
  bool read(std::string_view key, std::string_view stored) {
    std::string value;
    RowCache::Miss miss;
    if (cache_.find(key, value, miss)) {
      EXPECT_EQ(value, stored);
      return true;
    }
    cache_.keep(miss, key, stored);
    return false;
  }

  void read_twice(std::string_view key, std::string_view stored) {
    EXPECT_FALSE(read(key, stored));
    EXPECT_FALSE(read(key, stored));
  }

  static Batch removal(std::string_view key) {
    Batch batch;
    batch.remove(kRows, key);
    return batch;
  }

  RowCache cache_{kRows, kBytesMax, kSeed};
};

TEST_F(RowCacheTest, keeps_a_row_that_is_read_a_second_time) {
  EXPECT_FALSE(read("key", "value"));
  EXPECT_FALSE(read("key", "value"));
  EXPECT_TRUE(read("key", "value"));
}

TEST_F(RowCacheTest, finds_no_row_that_was_never_there_whatever_its_hash) {
  const std::string key = std::string(32, 'k') + "\xdf\xd4\x6d\xe9\x83\x90\x97\xdb\x59\x57\xf1\xa4\x7d\x39\xc8\x1a";
  ASSERT_EQ(hash64(key, kSeed), 0U);
  EXPECT_FALSE(read(key, "value"));
}

TEST_F(RowCacheTest, keeps_an_empty_value) {
  read_twice("key", "");
  EXPECT_TRUE(read("key", ""));
}

TEST_F(RowCacheTest, knows_rows_by_their_whole_keys) {
  read_twice("key", "value");
  EXPECT_FALSE(read("key2", "other"));
  EXPECT_FALSE(read("ke", "another"));
  EXPECT_TRUE(read("key", "value"));
}

TEST_F(RowCacheTest, does_not_have_a_row_while_it_is_written) {
  read_twice("key", "old");
  RowCache::Writing writing = cache_.begin(batch_of(kRows, "key", "new"));
  EXPECT_TRUE(writing.has_any());
  EXPECT_FALSE(read("key", "old"));
  EXPECT_FALSE(read("key", "old"));
  EXPECT_FALSE(read("key", "old"));
}

TEST_F(RowCacheTest, has_the_new_value_of_a_row_once_it_is_written) {
  read_twice("key", "old");
  cache_.begin(batch_of(kRows, "key", "new")).end(true);
  EXPECT_TRUE(read("key", "new"));
}

TEST_F(RowCacheTest, leaves_out_rows_that_are_written_and_never_read) {
  cache_.begin(batch_of(kRows, "key", "new")).end(true);
  read_twice("key", "new");
  EXPECT_TRUE(read("key", "new"));
}

TEST_F(RowCacheTest, forgets_a_row_whose_write_failed) {
  read_twice("key", "old");
  cache_.begin(batch_of(kRows, "key", "new")).end(false);
  EXPECT_FALSE(read("key", "old"));
}

TEST_F(RowCacheTest, forgets_a_row_whose_write_was_given_up) {
  read_twice("key", "old");
  { const RowCache::Writing writing = cache_.begin(batch_of(kRows, "key", "new")); }
  EXPECT_FALSE(read("key", "old"));
  EXPECT_TRUE(read("key", "old"));
}

TEST_F(RowCacheTest, forgets_a_row_that_is_removed) {
  read_twice("key", "old");
  cache_.begin(removal("key")).end(true);
  EXPECT_FALSE(read("key", "put again"));
}

TEST_F(RowCacheTest, does_not_keep_what_was_read_before_the_end_of_a_write) {
  std::string value;
  RowCache::Miss before_write;
  EXPECT_FALSE(read("key", "old"));
  ASSERT_FALSE(cache_.find("key", value, before_write));
  RowCache::Writing writing = cache_.begin(batch_of(kRows, "key", "new"));
  cache_.keep(before_write, "key", "old");
  RowCache::Miss during_write;
  ASSERT_FALSE(cache_.find("key", value, during_write));
  cache_.keep(during_write, "key", "old");
  writing.end(true);
  cache_.keep(before_write, "key", "old");
  cache_.keep(during_write, "key", "old");
  EXPECT_FALSE(read("key", "new"));
}

TEST_F(RowCacheTest, keeps_no_value_of_two_writes_that_met) {
  read_twice("key", "old");
  RowCache::Writing first = cache_.begin(batch_of(kRows, "key", "first"));
  RowCache::Writing second = cache_.begin(batch_of(kRows, "key", "second"));
  second.end(true);
  EXPECT_FALSE(read("key", "second"));
  first.end(true);
  // Which of them the store shows last is not known here.
  std::string value;
  RowCache::Miss miss;
  EXPECT_FALSE(cache_.find("key", value, miss));
}

TEST_F(RowCacheTest, has_no_other_than_the_last_value_that_a_batch_gives_a_row) {
  read_twice("key", "old");
  Batch batch = batch_of(kRows, "key", "first");
  batch.put(kRows, "key", "second");
  cache_.begin(batch).end(true);
  std::string value;
  RowCache::Miss miss;
  EXPECT_TRUE(!cache_.find("key", value, miss) || value == "second") << value;
}

TEST_F(RowCacheTest, forgets_the_rows_of_a_range_that_is_removed) {
  for (const std::string_view key : {"a", "b", "c"}) read_twice(key, key);
  Batch batch;
  batch.remove_range(kRows, {.lower = "b", .upper = "c"});
  RowCache::Writing writing = cache_.begin(batch);
  EXPECT_FALSE(read("b", "b"));
  EXPECT_FALSE(read("b", "b"));
  EXPECT_TRUE(read("a", "a"));
  EXPECT_TRUE(read("c", "c"));
  writing.end(true);
  EXPECT_FALSE(read("b", "put again"));
  EXPECT_TRUE(read("b", "put again"));
}

TEST_F(RowCacheTest, leaves_other_keyspaces_alone) {
  read_twice("key", "value");
  EXPECT_FALSE(cache_.begin(batch_of(kNotes, "key", "note")).has_any());
  EXPECT_TRUE(read("key", "value"));
}

TEST_F(RowCacheTest, keeps_no_large_value) {
  const std::string large(RowCache::kValueBytesMax + 1, 'x');
  read_twice("key", large);
  EXPECT_FALSE(read("key", large));
  const std::string fitting(RowCache::kValueBytesMax, 'x');
  EXPECT_FALSE(read("key", fitting));
  EXPECT_TRUE(read("key", fitting));
  cache_.begin(batch_of(kRows, "key", large)).end(true);
  EXPECT_FALSE(read("key", large));
}

double reported_bytes(const RowCache& cache) {
  metrics::Report report;
  cache.describe(report);
  const std::string text = report.text();
  const std::string_view name = "\ndolmen_row_cache_bytes ";
  return std::stod(text.substr(text.find(name) + name.size()));
}

TEST_F(RowCacheTest, takes_no_more_memory_than_it_may) {
  const std::string value(1000, 'x');
  for (int i = 0; i < 1000; ++i) read_twice(std::to_string(i), value);
  EXPECT_LE(reported_bytes(cache_), kBytesMax);
  EXPECT_GE(reported_bytes(cache_), kBytesMax - 2 * value.size());
  for (int i = 0; i < 1000; ++i) cache_.begin(removal(std::to_string(i))).end(true);
  EXPECT_EQ(reported_bytes(cache_), 0);
}

TEST_F(RowCacheTest, drops_rows_that_were_not_read_lately_first) {
  const std::string value(1000, 'x');
  read_twice("often", value);
  for (int i = 0; i < 1000; ++i) {
    read_twice(std::to_string(i), value);
    EXPECT_TRUE(read("often", value)) << i;
  }
}

TEST_F(RowCacheTest, makes_room_for_values_that_grow) {
  for (int i = 0; i < 200; ++i) read_twice(std::to_string(i), "short");
  for (int i = 0; i < 200; ++i)
    cache_.begin(batch_of(kRows, std::to_string(i), std::string(RowCache::kValueBytesMax, 'x'))).end(true);
  EXPECT_LE(reported_bytes(cache_), kBytesMax);
}

Options cached_options(const TemporaryDirectory& directory, Durability durability) {
  Options options = options_for(directory.path(), durability);
  options.cached_keyspace = kRows;
  return options;
}

TEST(CachedRows, are_read_as_they_were_written) {
  const TemporaryDirectory directory;
  const auto storage = open_store(cached_options(directory, Durability::kOs));
  must(storage->commit(batch_of(kRows, "key", "1")));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(read(*storage, kRows, "key"), "1");
  must(storage->commit(batch_of(kNotes, "key", "a note")));
  EXPECT_EQ(read(*storage, kNotes, "key"), "a note");
  {
    const Snapshot before = storage->snapshot();
    must(storage->commit(batch_of(kRows, "key", "2")));
    EXPECT_EQ(read(*storage, kRows, "key"), "2");
    EXPECT_EQ(read(*storage, kRows, "key", &before), "1");
  }
  Batch removal;
  removal.remove_range(kRows, {.lower = "k", .upper = "l"});
  must(storage->commit(std::move(removal)));
  EXPECT_EQ(read(*storage, kRows, "key"), std::nullopt);
}

/// Writers count rows up, each its own, and tell what they have written; readers never see less than that, nor less
/// than they have seen.
void count_up_and_read(Durability durability, int writes) {
  constexpr int kRowCount = 4;
  const TemporaryDirectory directory;
  const auto storage = open_store(cached_options(directory, durability));
  std::array<std::atomic<int>, kRowCount> written{};
  std::atomic<bool> failed = false;
  for (int row = 0; row < kRowCount; ++row) must(storage->commit(batch_of(kRows, std::to_string(row), "0")));
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < 2; ++writer)
    threads.emplace_back([&, writer] {
      for (int i = 1; i <= writes; ++i)
        for (int row = writer; row < kRowCount; row += 2) {
          must(storage->commit(batch_of(kRows, std::to_string(row), std::to_string(i))));
          written[static_cast<std::size_t>(row)] = i;
        }
    });
  for (int reader = 0; reader < 2; ++reader)
    threads.emplace_back([&] {
      std::array<int, kRowCount> seen{};
      while (!failed && written[0] + written[1] < 2 * writes)
        for (int row = 0; row < kRowCount; ++row) {
          const auto place = static_cast<std::size_t>(row);
          const int at_least = std::max(seen[place], written[place].load());
          seen[place] = std::stoi(*read(*storage, kRows, std::to_string(row)));
          if (seen[place] < at_least) failed = true;
        }
    });
  threads.clear();
  EXPECT_FALSE(failed) << "a reader saw an older value";
}

TEST(CachedRows, are_never_older_than_what_was_acknowledged_or_seen) { count_up_and_read(Durability::kOs, 2'000); }

TEST(CachedRows, are_never_older_than_what_was_acknowledged_or_seen_when_commits_share_syncs) {
  count_up_and_read(Durability::kSync, 200);
}

}  // namespace
}  // namespace dolmen::storage::test
