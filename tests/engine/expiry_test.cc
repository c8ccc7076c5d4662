#include "engine/expiry.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "expiry_world.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kNow = StillClock::kStart;

TEST(ExpiredItems, are_removed_when_their_time_is_over_and_not_before) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  world.put_all({expiring("a", kNow + 1), expiring("b", kNow + 2), expiring("c", kNow + 3)});
  world.pass_to(kNow);
  EXPECT_THAT(world.keys(), ElementsAre("a", "b", "c"));
  world.pass_to(kNow + 1);
  EXPECT_THAT(world.keys(), ElementsAre("a", "b", "c"));
  world.pass_to(kNow + 2);
  EXPECT_THAT(world.keys(), ElementsAre("b", "c"));
  world.pass_to(kNow + 100);
  EXPECT_THAT(world.keys(), IsEmpty());
}

TEST(ExpiredItems, leave_the_indexes_and_the_counts) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  world.put_all({expiring("a", kNow + 1), expiring("b", kNow + 1000)});
  world.pass_to(kNow + 10);
  EXPECT_THAT(world.keys("by-who"), ElementsAre("b"));
  const TableDescription table = describe_table(*world.engine, "things").value();
  EXPECT_EQ(table.extent.item_count, 1U);
  EXPECT_EQ(table.global_index_states.at(0).extent.item_count, 1U);
  EXPECT_EQ(table.extent, table.global_index_states.at(0).extent);
}

TEST(ExpiredItems, are_those_whose_last_time_is_over) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  world.put_all({expiring("moved", kNow + 5), expiring("freed", kNow + 5), expiring("hurried", kNow + 5000)});
  const auto set = [](int seconds) { return Item{{":t", kNow + seconds}}; };
  ASSERT_THAT(call(*world.engine, update("things", {{"p", "moved"}}, "SET ends = :t", set(9999))), succeeds());
  ASSERT_THAT(call(*world.engine, update("things", {{"p", "freed"}}, "REMOVE ends")), succeeds());
  ASSERT_THAT(call(*world.engine, update("things", {{"p", "hurried"}}, "SET ends = :t", set(5))), succeeds());
  world.pass_to(kNow + 600);
  EXPECT_THAT(world.keys(), ElementsAre("freed", "moved"));
  world.pass_to(kNow + 10'000);
  EXPECT_THAT(world.keys(), ElementsAre("freed"));
}

TEST(ExpiredItems, are_only_those_with_a_number_that_is_a_time_of_the_last_five_years) {
  constexpr std::int64_t kYear = 365 * 86'400;
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  const auto with = [](std::string key, const AttributeValue& until) {
    return Item{{"p", std::move(key)}, {"ends", until}};
  };
  world.put_all({with("text", AttributeValue(std::to_string(kNow - 10))), with("zero", AttributeValue(0)),
                 with("negative", AttributeValue(-5)), with("old", AttributeValue(kNow - 6 * kYear)),
                 with("milliseconds", AttributeValue(kNow * 1000)),
                 with("huge", AttributeValue(Number::parse("9e125").value())), Item{{"p", "none"}},
                 with("fraction", AttributeValue(Number::parse(std::to_string(kNow - 10) + ".75").value())),
                 with("exponent", AttributeValue(Number::parse("19999999e2").value())),
                 with("young", AttributeValue(kNow - 4 * kYear)),
                 with("list", AttributeValue(AttributeValue::List{AttributeValue(kNow - 10)}))});
  world.pass_to(kNow + 1);
  EXPECT_THAT(world.keys(), ElementsAre("huge", "list", "milliseconds", "negative", "none", "old", "text", "zero"));
}

TEST(ExpiredItems, leave_in_the_order_of_their_times_each_with_one_record) {
  const TemporaryDirectory directory;
  ExpiryWorld world(directory.path());
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  constexpr int kItems = 1500;
  std::vector<Item> items;
  // Neighbours in time are not neighbours in the table.
  for (int i = 0; i < kItems; ++i) items.push_back(expiring(std::to_string(i), kNow + 1 + (i * 7919) % kItems));
  world.put_all(items);
  world.pass_to(kNow + kItems / 2);
  world.pass_to(kNow + kItems + 10);
  EXPECT_THAT(world.keys(), IsEmpty());

  std::size_t removals = 0;
  for (const auto& [shard, records] : world.stream_records()) {
    std::int64_t last = 0;
    for (const auto& record : records) {
      if (record.event != StreamEvent::kRemove) continue;
      ++removals;
      EXPECT_TRUE(record.expired);
      EXPECT_GE(number_in(record.old_image, "ends"), last);
      last = number_in(record.old_image, "ends");
    }
  }
  EXPECT_EQ(removals, static_cast<std::size_t>(kItems));
  EXPECT_EQ(world.count_expiry_rows(), 0U);
}

TEST(ExpiredItems, are_removed_from_every_table_that_has_a_time_to_live) {
  ExpiryWorld world;
  for (const char* name : {"one", "two", "without", "xyz"}) {
    TableDefinition definition = things();
    definition.name = name;
    if (definition.name == "without") definition.ttl.reset();
    ASSERT_THAT(create_table(*world.engine, definition), succeeds());
    for (int i = 0; i < 200; ++i)
      ASSERT_THAT(call(*world.engine, put(name, expiring(std::to_string(i), kNow + 5))), succeeds());
  }
  world.pass_to(kNow + 6);
  for (const char* name : {"one", "two", "xyz"})
    EXPECT_EQ(describe_table(*world.engine, name).value().extent.item_count, 0U) << name;
  EXPECT_EQ(describe_table(*world.engine, "without").value().extent.item_count, 200U);
}

TEST(ExpiredItems, that_are_written_with_a_past_time_are_found_after_others_were_removed) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  // Each pass lets the next one begin later.
  for (int pass = 1; pass <= 5; ++pass) {
    world.put_all({expiring("a", kNow - 86'400 * pass), expiring("b", kNow + pass * 1000 - 1)});
    world.pass_to(kNow + pass * 1000);
    EXPECT_THAT(world.keys(), IsEmpty());
  }
}

TEST(ExpiredItems, are_written_again_by_others_while_they_are_removed) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  constexpr int kRounds = 300;
  // Each item is either removed or saved, whoever is faster, but never lost when it was saved.
  at_once(3, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string key = std::to_string(thread) + "-" + std::to_string(i);
      ASSERT_THAT(call(*world.engine, put("things", expiring(key, kNow - 10))), succeeds());
      if (i % 10 == 0) world.engine->finish_expiry();
      ASSERT_THAT(call(*world.engine, put("things", expiring(key, kNow + 1000))), succeeds());
    }
  });
  world.engine->finish_expiry();
  EXPECT_EQ(world.keys().size(), 3U * kRounds);
  world.pass_to(kNow + 1001);
  EXPECT_THAT(world.keys(), IsEmpty());
}

TEST(ExpiredItems, are_all_removed_once_after_a_power_cut_at_any_point) {
  for (std::uint64_t syncs = 0; syncs < 6; ++syncs) {
    const TemporaryDirectory directory;
    ExpiryWorld world(directory.path());
    ASSERT_THAT(create_table(*world.engine, things()), succeeds());
    std::vector<Item> items;
    for (int i = 0; i < 500; ++i) items.push_back(expiring(std::to_string(i), kNow + 1 + i % 50));
    world.put_all(items);
    world.faults->inject({.kind = storage::FaultKind::kPowerCut,
                          .operation = storage::FileOperation::kSync,
                          .path_part = ".log",
                          .skip = syncs});
    world.pass_to(kNow + 100);
    world.engine.reset();
    // 500 items are at least four pages.
    EXPECT_TRUE(world.faults->has_crashed() || syncs >= 4);
    world.faults->clear();
    world.faults->drop_unsynced();
    // Nothing more is removed while the test looks.
    world.clock.set(kNow);
    world.open();
    // Whatever was removed is removed from everywhere.
    const TableDescription table = describe_table(*world.engine, "things").value();
    EXPECT_EQ(world.keys().size(), table.extent.item_count);
    EXPECT_EQ(world.keys("by-who"), world.keys());
    world.pass_to(kNow + 100);
    EXPECT_THAT(world.keys(), IsEmpty());
    std::size_t removals = 0;
    for (const auto& [shard, records] : world.stream_records())
      removals += static_cast<std::size_t>(
          std::ranges::count(records, StreamEvent::kRemove, &ExpiryWorld::StreamRecord::event));
    EXPECT_EQ(removals, 500U) << "after " << syncs << " syncs";
  }
}

}  // namespace
}  // namespace dolmen::engine
