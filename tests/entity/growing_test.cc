// Tables that grow while they are in use: new indexes, new generated properties, new shard bumps.
#include <gmock/gmock.h>

#include "base/test_result.h"
#include "entity_store.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const WaitOptions kWait{.interval = std::chrono::milliseconds(20)};

class EntityGrowthTest : public EntityStoreTest {
 protected:
  /// With neither the property scoreRK nor an index of it.
  static EntityConfig young() {
    EntityConfig config = EntityStoreTest::config();
    std::erase_if(config.unsharded, [](const GeneratedProperty& one) { return one.name == "scoreRK"; });
    std::erase_if(config.indexes, [](const EntityIndex& one) { return one.name == "score"; });
    return config;
  }

  /// Replaces the table by one of another config.
  EntityClient begin_with(const EntityConfig& config) {
    EXPECT_THAT(store_->delete_table(table_), succeeds());
    EXPECT_THAT(wait_until_deleted(*store_, table_, kWait), succeeds());
    const EntityClient made = client(config);
    EXPECT_THAT(made.ensure_table(kWait), succeeds());
    return made;
  }

  /// Lets the table grow to a config.
  EntityGrowth grow(const EntityClient& client, GrowOptions options = {}) {
    EntityGrowth last;
    options.progress = [&](const EntityGrowth& growth) { last = growth; };
    EXPECT_THAT(client.ensure_table(kWait, options), succeeds());
    return last;
  }

  static std::vector<std::string> ids_in(const EntityClient& client, const char* index) {
    return sorted_ids_of(client.query("user").index(index).limit(kNoLimit).run().value().items);
  }
};

TEST_F(EntityGrowthTest, adds_an_index_of_a_new_property_and_finds_in_it_what_was_there) {
  const std::vector<Item> all = users(60, 900, 25);
  put_users(begin_with(young()), all);
  store_->put_item(table_, {{"pk", "other"}, {"sk", "thing"}}).value();
  const EntityClient grown = client();
  const EntityGrowth growth = grow(grown, {.page_size = 7});
  EXPECT_EQ(growth.changed, 60U);
  EXPECT_EQ(growth.moved, 0U);
  EXPECT_EQ(growth.refused, 0U);
  EXPECT_EQ(growth.indexes, 1U);
  // The other item, and the row with the config.
  EXPECT_EQ(growth.foreign, 2U);
  EXPECT_EQ(ids_in(grown, "score"), sorted_ids_of(all));
  EXPECT_EQ(ids_in(grown, "lastName"), sorted_ids_of(all));
  EXPECT_EQ(grown.get("user", all[7])->value(), grown.entities().add_keys("user", all[7]).value());
}

TEST_F(EntityGrowthTest, gives_an_index_the_throughput_of_its_table) {
  begin_with(young());
  TableDefinition definition = store_->describe_table(table_).value().definition;
  ASSERT_THAT(store_->delete_table(table_), succeeds());
  ASSERT_THAT(wait_until_deleted(*store_, table_, kWait), succeeds());
  definition.billing_mode = BillingMode::kProvisioned;
  definition.throughput = {5, 6};
  for (IndexDefinition& index : definition.global_indexes) index.throughput = {1, 1};
  ASSERT_THAT(store_->create_table(definition), succeeds());
  ASSERT_THAT(wait_until_active(*store_, table_, kWait), succeeds());
  grow(client());
  const TableDefinition grown = store_->describe_table(table_).value().definition;
  const auto score = std::ranges::find(grown.global_indexes, "score", &IndexDefinition::name);
  ASSERT_NE(score, grown.global_indexes.end());
  EXPECT_EQ(score->throughput, (Throughput{5, 6}));
}

TEST_F(EntityGrowthTest, looks_at_nothing_when_nothing_has_changed) {
  put_users(client(), users(10, 900, 25));
  EXPECT_EQ(grow(client()), EntityGrowth());
  EXPECT_EQ(grow(client(), {.all = true}).scanned, 11U);
  EntityConfig later = config();
  later.entities[0].shard_bumps.push_back({.timestamp = 4000, .char_bits = 4, .chars = 3});
  later.throttle = 3;
  EXPECT_EQ(grow(client(later)), EntityGrowth()) << "a bump that begins in the future needs nothing";
  EXPECT_EQ(grow(client(later)), EntityGrowth());
}

TEST_F(EntityGrowthTest, moves_what_a_bump_in_the_past_puts_elsewhere) {
  EntityConfig before = config();
  before.entities[0].shard_bumps.clear();
  const std::vector<Item> all = users(60, 900, 25);
  put_users(begin_with(before), all);
  const EntityClient grown = client();
  const EntityGrowth growth = grow(grown, {.page_size = 10});
  // Those of 900, 925, 950 and 975 stay.
  EXPECT_EQ(growth.moved, 56U);
  EXPECT_EQ(growth.changed, 0U);
  for (const Item& item : all)
    EXPECT_EQ(grown.get("user", item)->value(), grown.entities().add_keys("user", item).value());
  EXPECT_EQ(store_->count(table_, ScanOptions{}).value().count, 61U);
  EXPECT_EQ(ids_in(grown, "created"), sorted_ids_of(all));
}

TEST_F(EntityGrowthTest, goes_on_where_it_was_interrupted) {
  const std::vector<Item> all = users(60, 900, 25);
  put_users(begin_with(young()), all);
  struct Stop {};
  GrowOptions stopping{.page_size = 10};
  std::uint64_t scanned = 0;
  stopping.progress = [&](const EntityGrowth& growth) {
    scanned = growth.scanned;
    if (growth.scanned >= 30) throw Stop();
  };
  EXPECT_THROW((void)client().ensure_table(kWait, stopping), Stop);
  ASSERT_EQ(scanned, 30U);
  std::vector<std::uint64_t> steps;
  GrowOptions on{.page_size = 10};
  on.progress = [&](const EntityGrowth& growth) { steps.push_back(growth.scanned); };
  EXPECT_THAT(client().ensure_table(kWait, on), succeeds());
  EXPECT_EQ(steps.front(), 40U) << "the first thirty are not looked at again";
  EXPECT_EQ(ids_in(client(), "score"), sorted_ids_of(all));
}

TEST_F(EntityGrowthTest, leaves_alone_what_has_no_keys_and_says_so) {
  const EntityClient before = begin_with(young());
  put_users(before, users(3, 900, 25));
  store_->put_item(table_, {{"pk", "user!"}, {"sk", "userId#broken"}, {"userId", "broken"}}).value();
  std::vector<std::string> heard;
  EntityOptions options;
  options.logger.error = [&](const EntityLogEntry& entry) {
    if (entry.operation == "growTable") heard.push_back(std::string(entry.subject) + ": " + entry.message);
  };
  const EntityGrowth growth = grow(client(config(), options));
  EXPECT_EQ(growth.refused, 1U);
  EXPECT_EQ(growth.changed, 3U);
  EXPECT_THAT(heard, ElementsAre("userId#broken: user! stays as it is: missing item timestamp property"));
}

TEST_F(EntityGrowthTest, refuses_what_cannot_be_added) {
  EntityConfig other = config();
  other.indexes.pop_back();
  const auto fewer = client(other).ensure_table(kWait);
  ASSERT_THAT(fewer, fails_with(Code::kInvalidArgument));
  EXPECT_THAT(fewer.error().message(), HasSubstr("index userCreated is not wanted"));
  other = config();
  other.indexes[0].range_key = "score";
  EXPECT_THAT(client(other).ensure_table(kWait), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen
