#include "storage/batch.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "storage/counters.h"

namespace dolmen::storage {
namespace {

/// Writes down what a batch replays.
struct Transcript {
  void put(Keyspace keyspace, std::string_view key, std::string_view value) { add("put", keyspace, key, value); }
  void remove(Keyspace keyspace, std::string_view key) { add("remove", keyspace, key, ""); }
  void remove_range(Keyspace keyspace, KeyRangeView range) { add("remove_range", keyspace, range.lower, range.upper); }
  void add(Keyspace keyspace, std::string_view key, std::string_view amounts) {
    const std::vector<std::int64_t> decoded = decode_counters(amounts).value();
    for (const std::int64_t amount : decoded) add("add", keyspace, key, std::to_string(amount));
  }
  void remove_counters(Keyspace keyspace, std::string_view key) { add("remove_counters", keyspace, key, ""); }
  void append(Keyspace rows, Keyspace counters, std::string_view key, std::string_view value) {
    add("append", rows, key, std::string(value) + " " + std::to_string(counters.index));
  }
  void rewrite(Keyspace keyspace, std::string_view key) { add("rewrite", keyspace, key, ""); }
  void log_data(std::string_view bytes) { add("log_data", Keyspace{}, bytes, ""); }

  void add(std::string_view op, Keyspace keyspace, std::string_view first, std::string_view second) {
    lines.push_back(std::string(op) + " " + std::to_string(keyspace.index) + " " + std::string(first) + " " +
                    std::string(second));
  }

  std::vector<std::string> lines;
};

std::vector<std::string> replayed(const Batch& batch) {
  Transcript transcript;
  batch.replay(transcript);
  return transcript.lines;
}

TEST(Batch, replays_its_changes_in_the_order_they_were_made) {
  Batch batch;
  batch.put(Keyspace{1}, "a", "1");
  batch.remove(Keyspace{63}, "b");
  batch.rewrite(Keyspace{1}, "r");
  batch.log_data("note");
  batch.remove_range(Keyspace{0}, {.lower = "c", .upper = "d"});
  batch.add(Keyspace{2}, "e", std::vector<std::int64_t>{1, -2});
  batch.remove_counters(Keyspace{2}, "f");
  batch.append(Keyspace{3}, Keyspace{62}, "g", "3");
  batch.put(Keyspace{1}, "h", "4");
  EXPECT_EQ(replayed(batch), (std::vector<std::string>{"put 1 a 1", "remove 63 b ", "rewrite 1 r ", "log_data 0 note ",
                                                       "remove_range 0 c d", "add 2 e 1", "add 2 e -2",
                                                       "remove_counters 2 f ", "append 3 g 3 62", "put 1 h 4"}));
}

TEST(Batch, keeps_any_bytes_of_any_length) {
  const std::string zeros(300, '\0');
  const std::string large(100'000, '\xff');
  Batch batch;
  batch.put(Keyspace{0}, zeros, large);
  batch.put(Keyspace{0}, "", "");
  EXPECT_EQ(replayed(batch), (std::vector<std::string>{"put 0 " + zeros + " " + large, "put 0  "}));
}

TEST(Batch, counts_changes_but_not_log_data) {
  Batch batch;
  EXPECT_TRUE(batch.empty());
  batch.log_data("note");
  EXPECT_EQ(batch.count(), 0U);
  EXPECT_FALSE(batch.empty());
  batch.put(Keyspace{0}, "a", "1");
  batch.remove(Keyspace{0}, "a");
  batch.remove_range(Keyspace{0}, {.lower = "a", .upper = "b"});
  EXPECT_EQ(batch.count(), 3U);
}

TEST(Batch, grows_by_about_the_bytes_it_is_given) {
  Batch batch;
  batch.put(Keyspace{0}, std::string(100, 'k'), std::string(1000, 'v'));
  EXPECT_GE(batch.byte_size(), 1100U);
  EXPECT_LE(batch.byte_size(), 1110U);
}

TEST(Batch, ignores_a_range_without_keys) {
  Batch batch;
  batch.remove_range(Keyspace{0}, {.lower = "b", .upper = "a"});
  batch.remove_range(Keyspace{0}, {.lower = "b", .upper = "b"});
  EXPECT_TRUE(batch.empty());
}

TEST(Batch, is_empty_after_it_was_moved_away) {
  Batch batch;
  batch.put(Keyspace{0}, "a", "1");
  const Batch moved = std::move(batch);
  EXPECT_EQ(moved.count(), 1U);
  EXPECT_TRUE(batch.empty());  // NOLINT(bugprone-use-after-move): that is the rule.
  EXPECT_EQ(batch.count(), 0U);
}

TEST(BatchDeathTest, refuses_to_remove_a_range_without_an_upper_bound) {
  Batch batch;
  EXPECT_DEATH(batch.remove_range(Keyspace{0}, {.lower = "a", .upper = ""}), "upper bound");
}

}  // namespace
}  // namespace dolmen::storage
