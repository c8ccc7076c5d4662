#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "test_engine.h"
#include "tests/storage/test_support.h"
#include "value/json.h"

namespace dolmen::engine {
namespace {

constexpr int kWriters = 8;

TEST(ConcurrentWrites, to_a_counter_lose_nothing) {
  const TemporaryDirectory directory;
  for (const bool on_disk : {false, true}) {
    const auto service = on_disk ? open_engine(directory.path()) : open_engine();
    ASSERT_THAT(create_table(*service, {.name = "counters", .partition_key = {"id"}}), succeeds());
    constexpr int kEach = 50;
    std::atomic<int> failures = 0;
    at_once(kWriters, [&](int) {
      for (int i = 0; i < kEach; ++i) {
        const std::string id = i % 2 == 0 ? "even" : "odd";
        if (!call(*service, update("counters", {{"id", id}}, "ADD hits :one", {{":one", 1}}))) ++failures;
      }
    });
    EXPECT_EQ(failures, 0);
    for (const char* id : {"even", "odd"})
      EXPECT_EQ(number_in(item_at(*service, "counters", {{"id", id}}), "hits"), kWriters * kEach / 2) << on_disk;
  }
}

TEST(ConcurrentWrites, with_the_same_condition_have_exactly_one_winner) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "locks", .partition_key = {"id", KeyType::kNumber}}), succeeds());
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> winners = 0;
    std::atomic<int> winner = -1;
    std::atomic<int> refused = 0;
    at_once(kWriters, [&](int thread) {
      WriteRequest request = put("locks", {{"id", round}, {"owner", thread}});
      request.condition = Expression{"attribute_not_exists(id)"};
      const auto written = call(*service, std::move(request));
      if (written) {
        ++winners;
        winner = thread;
      } else if (written.error().code() == Code::kConditionFailed) {
        ++refused;
      }
    });
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(refused, kWriters - 1);
    EXPECT_EQ(number_in(item_at(*service, "locks", {{"id", round}}), "owner"), winner);
  }
}

TEST(ConcurrentWrites, by_compare_and_set_follow_each_other) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "versions", .partition_key = {"id"}}), succeeds());
  const Item key{{"id", "x"}};
  ASSERT_THAT(call(*service, put("versions", {{"id", "x"}, {"version", 0}})), succeeds());
  std::atomic<int> successes = 0;
  at_once(kWriters, [&](int) {
    for (int i = 0; i < 100; ++i) {
      const std::int64_t seen = number_in(item_at(*service, "versions", key), "version");
      WriteRequest next = update("versions", key, "SET version = :next", {{":next", seen + 1}, {":seen", seen}});
      next.condition = Expression{"version = :seen"};
      if (call(*service, std::move(next))) ++successes;
    }
  });
  EXPECT_GT(successes, 0);
  EXPECT_EQ(number_in(item_at(*service, "versions", key), "version"), successes);
}

TableDefinition indexed_table() {
  return {.name = "indexed",
          .partition_key = {"id"},
          .sort_key = KeyAttribute{"at", KeyType::kNumber},
          .local_indexes = {{.name = "by-points",
                             .partition_keys = {{"id"}},
                             .sort_keys = {{"points", KeyType::kNumber}},
                             .projection = ProjectionType::kKeysOnly}},
          .global_indexes = {{.name = "by-color", .partition_keys = {{"color"}}},
                             {.name = "by-color-and-points",
                              .partition_keys = {{"color"}, {"shape"}},
                              .sort_keys = {{"points", KeyType::kNumber}, {"at", KeyType::kNumber}},
                              .projection = ProjectionType::kInclude,
                              .included_attributes = {"note"}}}};
}

/// One of the writes that move an item in, out of and within the indexes.
WriteRequest random_write(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t limit) { return static_cast<int>(random() % limit); };
  const Item key{{"id", std::string(1, static_cast<char>('a' + below(2)))}, {"at", below(3)}};
  switch (below(4)) {
    case 0: {
      Item item = key;
      item.set("color", below(2) == 0 ? "red" : "blue");
      item.set("points", below(3));
      if (below(2) == 0) item.set("shape", "round");
      return put("indexed", item);
    }
    case 1: return update("indexed", key, "SET note = :n REMOVE color", {{":n", below(5)}});
    case 2:
      return update("indexed", key, "SET color = :c, shape = :s ADD points :r",
                    {{":c", "green"}, {":s", "flat"}, {":r", 1}});
    default: return {.kind = WriteKind::kDelete, .table = "indexed", .item = encode_item(key)};
  }
}

/// What the rows of an index must be, from the items of the table.
std::multiset<std::string> rows_expected(const std::vector<Item>& items, const std::vector<std::string>& keys,
                                         const std::vector<std::string>& carried) {
  std::multiset<std::string> rows;
  for (const Item& item : items) {
    if (!std::ranges::all_of(keys, [&](const std::string& name) { return item.contains(name); })) continue;
    Item row;
    for (const auto& [name, value] : item)
      if (carried.empty() || std::ranges::count(carried, name) > 0) row.set(name, value);
    rows.insert(json::to_text(row));
  }
  return rows;
}

TEST(ConcurrentWrites, leave_indexes_that_agree_with_the_items) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, indexed_table()), succeeds());
  const std::uint64_t seed = test_seed("index agreement");
  std::atomic<int> failures = 0;
  at_once(kWriters, [&](int thread) {
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(thread));
    for (int i = 0; i < 300; ++i) {
      if (i % 3 > 0) {
        if (!call(*service, random_write(random))) ++failures;
        continue;
      }
      TransactWriteRequest both;
      both.writes.push_back(random_write(random));
      both.writes.push_back(random_write(random));
      const auto done = call(*service, std::move(both));
      // The two may be about one item.
      if (!done && done.error().code() != Code::kValidation) ++failures;
    }
  });
  EXPECT_EQ(failures, 0);
  const std::vector<Item> items = items_of(call(*service, ReadManyRequest{.table = "indexed"}));
  const auto rows_of = [&](const char* index) {
    std::multiset<std::string> rows;
    for (const Item& row : items_of(call(*service, ReadManyRequest{.table = "indexed", .index = index})))
      rows.insert(json::to_text(row));
    return rows;
  };
  EXPECT_EQ(rows_of("by-points"), rows_expected(items, {"points"}, {"id", "at", "points"}));
  EXPECT_EQ(rows_of("by-color"), rows_expected(items, {"color"}, {}));
  EXPECT_EQ(rows_of("by-color-and-points"),
            rows_expected(items, {"color", "shape", "points"}, {"id", "at", "color", "shape", "points", "note"}));
}

}  // namespace
}  // namespace dolmen::engine
