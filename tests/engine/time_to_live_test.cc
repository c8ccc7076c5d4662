#include <algorithm>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "expiry_world.h"

namespace dolmen::engine {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kEnabledAt = StillClock::kStart;

TableDefinition without_time_to_live() {
  TableDefinition definition = things();
  definition.ttl.reset();
  return definition;
}

std::vector<Item> many_expiring(int count, std::int64_t until) {
  std::vector<Item> items;
  for (int i = 0; i < count; ++i) items.push_back(expiring(std::to_string(i), until));
  return items;
}

TEST(TimeToLiveOfATable, is_described_as_it_was_set) {
  const TemporaryDirectory directory;
  ExpiryWorld world(directory.path());
  ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
  EXPECT_THAT(world.describe("things"), holds(TimeToLive{}));
  EXPECT_THAT(world.update("things", "ends"), holds(TimeToLiveChange{.attribute = "ends", .enabled = true}));
  const TimeToLive enabled{.status = TimeToLiveStatus::kEnabled, .attribute = "ends"};
  EXPECT_THAT(world.describe("things"), holds(enabled));
  world.reopen();
  EXPECT_THAT(world.describe("things"), holds(enabled));
  EXPECT_FALSE(describe_table(*world.engine, "things").value().definition.ttl);
  EXPECT_THAT(world.update("things", "ends", false), holds(TimeToLiveChange{.attribute = "ends", .enabled = false}));
  EXPECT_THAT(world.describe("things"), holds(TimeToLive{}));
}

TEST(TimeToLiveOfATable, changes_only_from_what_it_is) {
  ExpiryWorld world;
  EXPECT_THAT(world.update("things", "ends"),
              fails_with(Code::kTableNotFound, "Requested resource not found: Table: things not found"));
  EXPECT_THAT(world.describe("things"),
              fails_with(Code::kTableNotFound, "Requested resource not found: Table: things not found"));
  ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
  EXPECT_THAT(world.update("things", "ends", false), fails_with(Code::kValidation, "TimeToLive is already disabled"));
  ASSERT_THAT(world.update("things", "ends"), succeeds());
  EXPECT_THAT(world.update("things", "ends"), fails_with(Code::kValidation, "TimeToLive is already enabled"));
  for (const bool enabled : {true, false})
    EXPECT_THAT(world.update("things", "other", enabled),
                fails_with(Code::kValidation,
                           "TimeToLive is active on a different AttributeName: current AttributeName is ends"));
  EXPECT_THAT(world.update("things", ""), fails_with(Code::kValidation, HasSubstr("greater than or equal to 1")));
  EXPECT_THAT(world.update("things", std::string(256, 'a')),
              fails_with(Code::kValidation, HasSubstr("less than or equal to 255")));
  EXPECT_EQ(world.describe("things").value().attribute, "ends");
}

TEST(TimeToLiveOfATable, covers_the_items_that_are_there_when_it_is_enabled) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
  world.put_all(many_expiring(2000, kEnabledAt - 10));
  world.put_all({expiring("later", kEnabledAt + 10)});
  world.engine->finish_expiry();
  EXPECT_EQ(world.keys().size(), 2001U);
  ASSERT_THAT(world.update("things", "ends"), succeeds());
  world.engine->finish_expiry();
  EXPECT_THAT(world.keys(), testing::ElementsAre("later"));
}

TEST(TimeToLiveOfATable, removes_nothing_after_it_was_disabled) {
  const TemporaryDirectory directory;
  ExpiryWorld world(directory.path());
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  world.put_all(many_expiring(10, kEnabledAt + 10));
  ASSERT_THAT(world.update("things", "ends", false), succeeds());
  world.pass_to(kEnabledAt + 20);
  EXPECT_EQ(world.keys().size(), 10U);
  EXPECT_EQ(world.count_expiry_rows(), 0U);
}

TEST(TimeToLiveOfATable, can_move_to_another_attribute) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  std::vector<Item> items = many_expiring(100, kEnabledAt + 10);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].set("other", kEnabledAt + 20 + static_cast<int>(i));
  world.put_all(items);
  ASSERT_THAT(world.update("things", "ends", false), succeeds());
  ASSERT_THAT(world.update("things", "other"), succeeds());
  world.pass_to(kEnabledAt + 15);
  EXPECT_EQ(world.keys().size(), 100U);
  world.pass_to(kEnabledAt + 20 + 50);
  EXPECT_EQ(world.keys().size(), 50U);
}

TEST(TimeToLiveOfATable, belongs_to_that_table_alone) {
  ExpiryWorld world;
  ASSERT_THAT(create_table(*world.engine, things()), succeeds());
  world.put_all(many_expiring(10, kEnabledAt + 10));
  ASSERT_THAT(delete_table(*world.engine, "things"), succeeds());
  ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
  world.put_all(many_expiring(10, kEnabledAt + 10));
  world.pass_to(kEnabledAt + 20);
  EXPECT_EQ(world.keys().size(), 10U);
  EXPECT_THAT(world.describe("things"), holds(TimeToLive{}));
}

TEST(TimeToLiveOfATable, is_refused_at_creation_with_a_bad_name) {
  ExpiryWorld world;
  TableDefinition definition = things();
  definition.ttl = "";
  EXPECT_THAT(create_table(*world.engine, definition), fails_with(Code::kValidation, HasSubstr("attributeName")));
  EXPECT_THAT(list_tables(*world.engine).value().names, IsEmpty());
}

TEST(BuildingATimeToLive, goes_on_when_the_store_is_opened_again) {
  const TemporaryDirectory directory;
  ExpiryWorld world(directory.path());
  ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
  world.put_all(many_expiring(3000, kEnabledAt + 10));
  ASSERT_THAT(world.update("things", "ends"), succeeds());
  // Stops where it is each time.
  for (int i = 0; i < 3; ++i) world.reopen();
  world.put_all(many_expiring(10, kEnabledAt + 5000));
  world.engine->finish_expiry();
  EXPECT_EQ(world.count_expiry_rows(), 3000U);
  world.open();
  world.pass_to(kEnabledAt + 20);
  EXPECT_EQ(world.keys().size(), 10U);
}

TEST(BuildingATimeToLive, survives_a_power_cut_at_any_point) {
  for (std::uint64_t syncs = 0; syncs < 10; ++syncs) {
    const TemporaryDirectory directory;
    ExpiryWorld world(directory.path());
    ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
    world.put_all(many_expiring(1000, kEnabledAt + 10));
    world.faults->inject({.kind = storage::FaultKind::kPowerCut,
                          .operation = storage::FileOperation::kSync,
                          .path_part = ".log",
                          .skip = syncs});
    const bool enabled = world.update("things", "ends").has_value();
    EXPECT_EQ(enabled, syncs > 0);
    world.engine->finish_expiry();
    world.engine.reset();
    world.faults->clear();
    if (world.faults->has_crashed()) world.faults->drop_unsynced();
    world.open();
    if (!enabled) {
      // Nobody knows whether it was; either is whole.
      const bool is_enabled = world.describe("things").value().status == TimeToLiveStatus::kEnabled;
      world.engine->finish_expiry();
      EXPECT_EQ(world.count_expiry_rows(), is_enabled ? 1000U : 0U);
      continue;
    }
    world.pass_to(kEnabledAt + 20);
    EXPECT_THAT(world.keys(), IsEmpty()) << "after " << syncs << " syncs";
    EXPECT_EQ(world.count_expiry_rows(), 0U);
  }
}

TEST(BuildingATimeToLive, agrees_with_writes_that_go_on) {
  const TemporaryDirectory directory;
  ExpiryWorld world(directory.path());
  ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
  constexpr int kThings = 1500;
  world.put_all(many_expiring(kThings, kEnabledAt + 10));
  ASSERT_THAT(world.update("things", "ends"), succeeds());
  // A third is deleted, a third is moved, a third stays.
  at_once(2, [&](int thread) {
    for (int i = thread; i < kThings; i += 2) {
      const Item key{{"p", std::to_string(i)}};
      if (i % 3 == 2) continue;
      const WriteRequest remove{.kind = WriteKind::kDelete, .table = "things", .item = encode_item(key)};
      const WriteRequest move = update("things", key, "SET ends = :u", {{":u", kEnabledAt + 100}});
      ASSERT_THAT(call(*world.engine, i % 3 == 0 ? remove : move), succeeds());
    }
  });
  world.engine->finish_expiry();
  EXPECT_EQ(world.count_expiry_rows(), 1000U);
  world.open();
  world.pass_to(kEnabledAt + 11);
  EXPECT_EQ(world.keys().size(), 500U);
  world.pass_to(kEnabledAt + 101);
  EXPECT_THAT(world.keys(), IsEmpty());
}

TEST(BuildingATimeToLive, begins_anew_when_it_is_disabled_and_enabled_meanwhile) {
  const TemporaryDirectory directory;
  ExpiryWorld world(directory.path());
  ASSERT_THAT(create_table(*world.engine, without_time_to_live()), succeeds());
  world.put_all(many_expiring(800, kEnabledAt + 10));
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(world.update("things", "ends"), succeeds());
    ASSERT_THAT(world.update("things", "ends", false), succeeds());
  }
  ASSERT_THAT(world.update("things", "ends"), succeeds());
  world.engine->finish_expiry();
  EXPECT_EQ(world.count_expiry_rows(), 800U);
}

}  // namespace
}  // namespace dolmen::engine
