#include "storage/storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::batch_of;
using test::Content;
using test::content;
using test::kNotes;
using test::kRows;
using test::must;
using test::open_store;
using test::options_for;
using test::read;
using testing::ElementsAre;

/// Every rule here holds for each kind of durability.
class EveryStorage : public testing::TestWithParam<Durability> {
 protected:
  const TemporaryDirectory temp_;
  const std::unique_ptr<Storage> storage_ = open_store(options_for(temp_ / "data", GetParam()));
};

std::string durability_name(const testing::TestParamInfo<Durability>& durability) {
  switch (durability.param) {
    case Durability::kSync: return "sync";
    case Durability::kOs: return "os";
    case Durability::kMemory: return "memory";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Durability, EveryStorage,
                         testing::Values(Durability::kSync, Durability::kOs, Durability::kMemory), durability_name);

std::vector<std::string> keys_forward(Iterator iterator) {
  std::vector<std::string> keys;
  for (iterator.seek_first(); iterator.valid(); iterator.next()) keys.emplace_back(iterator.key());
  must(iterator.status());
  return keys;
}

std::vector<std::string> keys_backward(Iterator iterator) {
  std::vector<std::string> keys;
  for (iterator.seek_last(); iterator.valid(); iterator.prev()) keys.emplace_back(iterator.key());
  must(iterator.status());
  return keys;
}

TEST_P(EveryStorage, reads_what_was_committed) {
  must(storage_->commit(batch_of(kRows, "key", "value")));
  EXPECT_EQ(read(*storage_, kRows, "key"), "value");
  EXPECT_EQ(read(*storage_, kRows, "other"), std::nullopt);
}

TEST_P(EveryStorage, keeps_keyspaces_apart) {
  must(storage_->commit(batch_of(kRows, "key", "row")));
  EXPECT_EQ(read(*storage_, kNotes, "key"), std::nullopt);
  must(storage_->commit(batch_of(kNotes, "key", "note")));
  EXPECT_EQ(read(*storage_, kRows, "key"), "row");
}

TEST_P(EveryStorage, lets_later_changes_of_a_batch_win) {
  Batch batch;
  batch.put(kRows, "a", "1");
  batch.put(kRows, "a", "2");
  batch.put(kRows, "b", "1");
  batch.remove(kRows, "b");
  batch.put(kRows, "c", "1");
  batch.remove_range(kRows, {.lower = "c", .upper = "d"});
  batch.put(kRows, "cc", "2");
  must(storage_->commit(std::move(batch)));
  EXPECT_EQ(content(*storage_, kRows), (Content{{"a", "2"}, {"cc", "2"}}));
}

TEST_P(EveryStorage, accepts_an_empty_batch_and_one_of_log_data_only) {
  must(storage_->commit({}));
  Batch batch;
  batch.log_data("note");
  must(storage_->commit(std::move(batch)));
  EXPECT_TRUE(content(*storage_, kRows).empty());
}

TEST_P(EveryStorage, removes_the_lower_but_not_the_upper_bound_of_a_range) {
  for (const auto* key : {"a", "b", "bb", "c"}) must(storage_->commit(batch_of(kRows, key, key)));
  Batch batch;
  batch.remove_range(kRows, {.lower = "b", .upper = "c"});
  must(storage_->commit(std::move(batch)));
  EXPECT_EQ(content(*storage_, kRows), (Content{{"a", "a"}, {"c", "c"}}));
}

TEST_P(EveryStorage, walks_a_range_both_ways_in_the_order_of_bytes) {
  const std::string zero("\0", 1);
  for (const auto& key :
       {std::string("b"), std::string("a"), std::string("\xff"), zero, std::string("ab"), std::string("c")}) {
    must(storage_->commit(batch_of(kRows, key, "")));
  }
  EXPECT_THAT(keys_forward(storage_->iterate(kRows, {})), ElementsAre(zero, "a", "ab", "b", "c", "\xff"));
  EXPECT_THAT(keys_backward(storage_->iterate(kRows, {})), ElementsAre("\xff", "c", "b", "ab", "a", zero));
  EXPECT_THAT(keys_forward(storage_->iterate(kRows, {.lower = "a", .upper = "c"})), ElementsAre("a", "ab", "b"));
  EXPECT_THAT(keys_backward(storage_->iterate(kRows, {.lower = "a", .upper = "c"})), ElementsAre("b", "ab", "a"));
  EXPECT_THAT(keys_backward(storage_->iterate(kRows, {.lower = "ab"})), ElementsAre("\xff", "c", "b", "ab"));
  EXPECT_TRUE(keys_forward(storage_->iterate(kRows, {.lower = "x", .upper = "y"})).empty());
}

TEST_P(EveryStorage, seeks_within_the_bounds_even_when_the_key_is_outside) {
  for (const auto* key : {"a", "c", "e", "g"}) must(storage_->commit(batch_of(kRows, key, "")));
  Iterator iterator = storage_->iterate(kRows, {.lower = "b", .upper = "f"});
  EXPECT_FALSE(iterator.valid());
  const auto at = [&iterator] { return iterator.valid() ? std::string(iterator.key()) : "none"; };
  iterator.seek("a");
  EXPECT_EQ(at(), "c");
  iterator.seek("d");
  EXPECT_EQ(at(), "e");
  iterator.seek("e");
  EXPECT_EQ(at(), "e");
  iterator.prev();
  EXPECT_EQ(at(), "c");
  iterator.seek("f");
  EXPECT_EQ(at(), "none");
  iterator.seek_for_prev("z");
  EXPECT_EQ(at(), "e");
  iterator.seek_for_prev("d");
  EXPECT_EQ(at(), "c");
  iterator.next();
  EXPECT_EQ(at(), "e");
  iterator.seek_for_prev("a");
  EXPECT_EQ(at(), "none");
  EXPECT_TRUE(iterator.status());
}

TEST_P(EveryStorage, shows_an_iterator_what_there_was_when_it_was_made) {
  must(storage_->commit(batch_of(kRows, "a", "1")));
  Iterator iterator = storage_->iterate(kRows, {});
  must(storage_->commit(batch_of(kRows, "b", "2")));
  EXPECT_THAT(keys_forward(std::move(iterator)), ElementsAre("a"));
}

TEST_P(EveryStorage, reads_at_a_snapshot_as_if_nothing_had_happened_since) {
  must(storage_->commit(batch_of(kRows, "kept", "old")));
  must(storage_->commit(batch_of(kRows, "gone", "old")));
  Snapshot before = storage_->snapshot();
  Batch batch;
  batch.put(kRows, "kept", "new");
  batch.remove_range(kRows, {.lower = "gone", .upper = "gonf"});
  batch.put(kNotes, "added", "new");
  must(storage_->commit(std::move(batch)));

  const Snapshot moved = std::move(before);
  EXPECT_EQ(read(*storage_, kRows, "kept", &moved), "old");
  EXPECT_EQ(content(*storage_, kRows, {}, &moved), (Content{{"gone", "old"}, {"kept", "old"}}));
  EXPECT_TRUE(content(*storage_, kNotes, {}, &moved).empty());
  EXPECT_EQ(content(*storage_, kRows), (Content{{"kept", "new"}}));
}

TEST_P(EveryStorage, counts_what_is_only_in_memory_towards_the_size_of_a_range) {
  EXPECT_EQ(must(storage_->approximate_size(kRows, {})), 0U);
  for (int i = 0; i < 100; ++i)
    must(storage_->commit(batch_of(kRows, "k" + std::to_string(i), std::string(1000, 'v'))));
  // RocksDB guesses from a random structure in memory, so only the order of magnitude is certain.
  EXPECT_GT(must(storage_->approximate_size(kRows, {})), 5'000U);
  EXPECT_GT(must(storage_->approximate_size(kRows, {.lower = "k", .upper = "l"})), 5'000U);
  EXPECT_EQ(must(storage_->approximate_size(kRows, {.lower = "x", .upper = "y"})), 0U);
  EXPECT_EQ(must(storage_->approximate_size(kNotes, {})), 0U);
}

TEST_P(EveryStorage, refuses_everything_after_it_was_closed) {
  must(storage_->close());
  must(storage_->close());
  std::string value;
  EXPECT_THAT(storage_->get(kRows, "key", value), fails_with(Code::kClosed));
  EXPECT_THAT(storage_->commit(batch_of(kRows, "key", "value")), fails_with(Code::kClosed));
  EXPECT_THAT(storage_->approximate_size(kRows, {}), fails_with(Code::kClosed));
  EXPECT_THAT(storage_->checkpoint(temp_ / "copy"), fails_with(Code::kClosed));
  const Snapshot snapshot = storage_->snapshot();
  EXPECT_THAT(storage_->get(kRows, "key", value, &snapshot), fails_with(Code::kClosed));
  Iterator iterator = storage_->iterate(kRows, {});
  iterator.seek_first();
  EXPECT_FALSE(iterator.valid());
  EXPECT_THAT(iterator.status(), fails_with(Code::kClosed));
}

TEST_P(EveryStorage, has_its_data_again_after_it_was_reopened_unless_in_memory) {
  must(storage_->commit(batch_of(kRows, "key", "value")));
  must(storage_->close());
  const auto reopened = open_store(options_for(temp_ / "data", GetParam()));
  EXPECT_EQ(read(*reopened, kRows, "key").has_value(), GetParam() != Durability::kMemory);
}

TEST(Storage, in_memory_touches_no_directory) {
  const TemporaryDirectory temp;
  const auto storage = open_store(options_for(temp / "data", Durability::kMemory));
  must(storage->commit(batch_of(kRows, "key", "value")));
  EXPECT_TRUE(std::filesystem::is_empty(temp.path()));
}

TEST(Storage, measures_closely_what_a_range_holds_in_files) {
  const TemporaryDirectory temp;
  std::mt19937_64 random(1);
  {
    const auto storage = open_store(options_for(temp / "data"));
    for (int i = 0; i < 400; ++i) {
      const std::string key = (i < 100 ? "a" : "b") + std::to_string(i);
      must(storage->commit(batch_of(kRows, key, test::random_bytes(random, 5000))));
    }
  }
  const auto storage = open_store(options_for(temp / "data"));
  const auto near = [](double bytes) { return testing::AllOf(testing::Gt(bytes * 0.9), testing::Lt(bytes * 1.1)); };
  const auto size = [&](KeyRangeView range) {
    return static_cast<double>(must(storage->approximate_size(kRows, range)));
  };
  EXPECT_THAT(size({}), near(2e6));
  EXPECT_THAT(size({.lower = "a", .upper = "b"}), near(0.5e6));
  EXPECT_THAT(size({.lower = "b"}), near(1.5e6));
  EXPECT_LT(size({.lower = "x", .upper = "y"}), 10'000);
}

TEST(Storage, refuses_a_list_of_keyspaces_that_makes_no_sense) {
  const TemporaryDirectory temp;
  const std::vector<std::vector<std::string>> lists = {
      {}, {"rows", "rows"}, {""}, std::vector<std::string>(kKeyspacesMax + 1, "many")};
  for (const auto& keyspaces : lists) {
    Options options = options_for(temp / "data");
    options.keyspaces = keyspaces;
    const auto refused = Storage::open(options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused, fails_with(Code::kInvalidArgument));
  }
  EXPECT_TRUE(std::filesystem::is_empty(temp.path()));
}

TEST(Storage, finds_keyspaces_by_name_when_the_list_changes) {
  const TemporaryDirectory temp;
  Options options = options_for(temp / "data");
  must(open_store(options)->commit(batch_of(kRows, "key", "row")));
  options.keyspaces = {"new", "notes", "rows"};
  {
    const auto storage = open_store(options);
    EXPECT_EQ(read(*storage, Keyspace{2}, "key"), "row");
    EXPECT_EQ(read(*storage, Keyspace{0}, "key"), std::nullopt);
    must(storage->commit(batch_of(Keyspace{0}, "key", "new")));
  }
  options.keyspaces = {"new"};
  EXPECT_EQ(read(*open_store(options), Keyspace{0}, "key"), "new");
  EXPECT_EQ(read(*open_store(options_for(temp / "data")), kRows, "key"), "row");
}

TEST(StorageDeathTest, stops_a_program_that_closes_a_store_under_its_readers) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto close_early = [] {
    const auto storage = open_store(options_for({}, Durability::kMemory));
    const Snapshot snapshot = storage->snapshot();
    static_cast<void>(storage->close());
  };
  EXPECT_DEATH(close_early(), "outlives its store");
}

TEST(StorageDeathTest, stops_a_program_whose_callback_waits_for_another_commit) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto wait_in_callback = [] {
    const TemporaryDirectory temp;
    const auto storage = open_store(options_for(temp / "data", Durability::kSync));
    storage->commit_async({}, [&](Result<void>) {
      std::filesystem::remove_all(temp.path());  // Nobody else will, once the process has stopped.
      static_cast<void>(storage->commit({}));
    });
    static_cast<void>(storage->close());
  };
  EXPECT_DEATH(wait_in_callback(), "cannot wait for another commit");
}

TEST(StorageDeathTest, stops_a_program_that_names_a_keyspace_that_does_not_exist) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read(*open_store(options_for({}, Durability::kMemory)), Keyspace{2}, "key"), "no such keyspace");
}

}  // namespace
}  // namespace dolmen::storage
