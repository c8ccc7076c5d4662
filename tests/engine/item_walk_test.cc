#include "engine/item_walk.h"

#include <gtest/gtest.h>
#include <set>

#include "base/test_result.h"
#include "engine/row_key.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

using State = ItemWalk::State;

/// A table with items, below an engine: nothing else runs.
struct WalkedTable {
  std::unique_ptr<storage::Storage> storage =
      storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()}).value();
  std::unique_ptr<Catalogue> catalogue = Catalogue::load(*storage).value();
  WritePipeline pipeline{*storage, 1};
  std::shared_ptr<const Table> table;
  std::set<std::string> visited;

  explicit WalkedTable(int items) {
    storage::Batch batch;
    table =
        catalogue
            ->prepare_create(*storage, batch, {.uuid = "u-1", .definition = {.name = "things", .partition_key = {"p"}}})
            .value();
    for (int i = 0; i < items; ++i) put(batch, std::to_string(i));
    EXPECT_THAT(storage->commit(std::move(batch)), succeeds());
    catalogue->show(table);
  }

  void put(storage::Batch& batch, const std::string& key) const {
    const EncodedItem item = encode_item({{"p", key}});
    batch.put(keyspaces::kItems, row_key_of_item(*table, item.bytes).value(), item.bytes);
  }
  ItemWalk walk() { return ItemWalk({*storage, pipeline, *catalogue, system_clock()}); }
  ItemWalk::Job job(std::string name = "test") {
    return {.table = "things",
            .table_uuid = "u-1",
            .name = std::move(name),
            .wanted = [](const Table&) { return true; },
            .visit = [this](const Table&, std::string_view, const EncodedItem& item, storage::Batch&) -> Result<void> {
              EXPECT_TRUE(visited.insert(decode_item(item.bytes).value().at("p").string()).second);
              return {};
            }};
  }
  State state_of_page(ItemWalk& walk, const ItemWalk::Job& job) { return walk.visit_page(job).value().state; }
};

TEST(WalkOfItems, visits_each_item_once_in_growing_pages) {
  WalkedTable world(1000);
  ItemWalk walk = world.walk();
  const ItemWalk::Job job = world.job();
  std::size_t seen = 0;
  std::vector<std::size_t> pages;
  while (world.state_of_page(walk, job) == State::kGoesOn)
    pages.push_back(world.visited.size() - std::exchange(seen, world.visited.size()));
  EXPECT_EQ(world.visited.size(), 1000U);
  EXPECT_EQ(pages, (std::vector<std::size_t>{16, 32, 64, 128, 256, 504}));
  EXPECT_EQ(world.state_of_page(walk, job), State::kFinished);
}

TEST(WalkOfItems, makes_small_pages_with_rests_while_others_write) {
  WalkedTable world(100);
  ItemWalk walk = world.walk();
  const ItemWalk::Job job = world.job();
  for (std::size_t page = 1; page <= 5; ++page) {
    const auto nothing = [](storage::Batch&) -> Result<WritePipeline::Outcome<int>> {
      return WritePipeline::Outcome<int>{0};
    };
    world.pipeline.run<int>({}, nothing, [](const Result<int>&) {});
    const ItemWalk::Progress progress = walk.visit_page(job).value();
    EXPECT_EQ(world.visited.size(), 16 * page);
    EXPECT_GT(progress.rest.count(), 0);
  }
}

TEST(WalkOfItems, goes_on_where_another_of_that_name_stopped) {
  WalkedTable world(100);
  const ItemWalk::Job job = world.job();
  State state = State::kGoesOn;
  for (int pages = 0; state == State::kGoesOn; ++pages) {
    ASSERT_LT(pages, 10);
    ItemWalk walk = world.walk();
    state = world.state_of_page(walk, job);
  }
  EXPECT_EQ(state, State::kFinished);
  EXPECT_EQ(world.visited.size(), 100U);
  world.visited.clear();
  ItemWalk other = world.walk();
  const ItemWalk::Job other_job = world.job("other");
  EXPECT_EQ(world.state_of_page(other, other_job), State::kGoesOn);
  EXPECT_EQ(world.visited.size(), 16U);
  EXPECT_THAT(other.is_at_end(*world.table, "test"), holds(true));
  EXPECT_THAT(other.is_at_end(*world.table, "other"), holds(false));
}

TEST(WalkOfItems, begins_anew_when_its_position_is_forgotten) {
  WalkedTable world(20);
  ItemWalk walk = world.walk();
  const ItemWalk::Job job = world.job();
  EXPECT_EQ(world.state_of_page(walk, job), State::kGoesOn);
  storage::Batch batch;
  ItemWalk::forget_all(batch, *world.table);
  ASSERT_THAT(world.storage->commit(std::move(batch)), succeeds());
  world.visited.clear();
  while (world.state_of_page(walk, job) == State::kGoesOn) {}
  EXPECT_EQ(world.visited.size(), 20U);
}

TEST(WalkOfItems, ends_when_it_is_not_wanted_or_the_table_is_gone) {
  WalkedTable world(20);
  ItemWalk walk = world.walk();
  ItemWalk::Job job = world.job();
  job.wanted = [](const Table&) { return false; };
  EXPECT_EQ(world.state_of_page(walk, job), State::kUnwanted);
  job.wanted = [](const Table&) { return true; };
  job.table_uuid = "u-0";
  EXPECT_EQ(world.state_of_page(walk, job), State::kUnwanted);
  world.catalogue->hide("things");
  job.table_uuid = "u-1";
  EXPECT_EQ(world.state_of_page(walk, job), State::kUnwanted);
  EXPECT_TRUE(world.visited.empty());
}

TEST(WalkOfItems, stays_where_it_is_when_a_visit_fails) {
  WalkedTable world(20);
  ItemWalk walk = world.walk();
  ItemWalk::Job job = world.job();
  const auto visit = std::exchange(job.visit, [](const Table&, std::string_view, const EncodedItem&, storage::Batch&) {
    return Result<void>(std::unexpected(Error(Code::kCorruption, "damaged")));
  });
  EXPECT_THAT(walk.visit_page(job), fails_with(Code::kCorruption, "damaged"));
  job.visit = visit;
  while (world.state_of_page(walk, job) == State::kGoesOn) {}
  EXPECT_EQ(world.visited.size(), 20U);
}

}  // namespace
}  // namespace dolmen::engine
