// Power cuts and full disks while an index is built or deleted.
#include <gtest/gtest.h>
#include <random>

#include "base/test_directory.h"
#include "base/test_seed.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

using storage::FaultPlan;

/// A store whose power fails again and again.
class PowerCuts : public testing::Test {
 protected:
  void SetUp() override {
    open();
    ASSERT_THAT(create_table(*service_, with_early_index("things")), succeeds());
    fill_coloured(*service_, "things", 3000);
  }

  void open() { service_ = open_engine_with({}, {.directory = temp_ / "data", .faults = plan_}); }

  /// Cuts the power when so many more operations on the log have been done. Returns false when the work in the
  /// background ended before.
  bool cut_power_after(std::uint64_t operations) {
    plan_->inject({.kind = storage::FaultKind::kPowerCut, .path_part = ".log", .skip = operations});
    while (!plan_->has_crashed() && !is_idle()) sleep_for(std::chrono::milliseconds(1));
    const bool cut = plan_->has_crashed();
    service_.reset();
    plan_->clear();
    plan_->drop_unsynced();
    open();
    return cut;
  }

  [[nodiscard]] bool is_idle() {
    const Result<TableDescription> table = describe_table(*service_, "things");
    return table && has_active_indexes(*table);
  }

  const TemporaryDirectory temp_;
  const std::shared_ptr<FaultPlan> plan_ = std::make_shared<FaultPlan>();
  std::unique_ptr<Service> service_;
};

TEST_F(PowerCuts, leave_no_index_half_built_or_half_deleted) {
  std::mt19937_64 random(test_seed("PowerCuts"));
  int cuts = 0;
  for (int round = 0; round < 8; ++round) {
    ASSERT_THAT(add_late_index(*service_, "things"), succeeds());
    for (int i = 0; i < 3; ++i) cuts += cut_power_after(random() % 24) ? 1 : 0;
    await_table(*service_, "things", has_active_indexes);
    expect_equal_indexes(*service_, "things");
    ASSERT_THAT(call<UpdateTable>(*service_, {.table = "things", .indexes = {DeleteIndex{"late"}}}), succeeds());
    for (int i = 0; i < 2; ++i) cuts += cut_power_after(random() % 8) ? 1 : 0;
    const TableDescription table = await_table(*service_, "things", has_active_indexes);
    EXPECT_EQ(table.global_index_states.size(), 1U);
  }
  EXPECT_GT(cuts, 8);
}

TEST(FullDisk, stops_the_building_of_an_index_until_there_is_room) {
  const TemporaryDirectory temp;
  Lines lines;
  const auto plan = std::make_shared<FaultPlan>();
  const auto service = open_engine_with({.log = lines.sink()}, {.directory = temp / "data", .faults = plan});
  ASSERT_THAT(create_table(*service, with_early_index("things")), succeeds());
  fill_coloured(*service, "things", 300);
  plan->pretend_free_bytes(std::uint64_t{3} << 20);
  ASSERT_THAT(add_late_index(*service, "things"), succeeds());
  const std::string waits = "building indexes waits: only 3 MB are free on the disk";
  while (std::ranges::count(lines.all(), waits) == 0) sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(describe_table(*service, "things").value().global_index_states[1].status, TableStatus::kCreating);
  // Requests are served meanwhile, and the new index follows them.
  ASSERT_THAT(call(*service, put("things", coloured(7, 4))), succeeds());
  EXPECT_EQ(describe_table(*service, "things").value().global_index_states[1].extent.item_count, 1U);

  plan->pretend_free_bytes(std::nullopt);
  await_table(*service, "things", has_active_indexes);
  expect_equal_indexes(*service, "things");
  EXPECT_THAT(lines.all(), testing::Contains("building indexes goes on"));
}

TEST(FullDisk, lets_only_whole_files_be_given_back_until_there_is_room) {
  const TemporaryDirectory temp;
  Lines lines;
  const auto plan = std::make_shared<FaultPlan>();
  const auto service = open_engine_with({.log = lines.sink()}, {.directory = temp / "data", .faults = plan});
  ASSERT_THAT(create_table(*service, with_early_index("things")), succeeds());
  fill_coloured(*service, "things", 300);
  plan->pretend_free_bytes(std::uint64_t{3} << 20);
  ASSERT_THAT(call<UpdateTable>(*service, {.table = "things", .indexes = {DeleteIndex{"early"}}}), succeeds());
  const std::string waits =
      "giving back disk space failed and is tried again: only 3 MB are free on the disk, too few to rewrite files";
  while (std::ranges::count(lines.all(), waits) == 0) sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(describe_table(*service, "things").value().global_index_states.at(0).status, TableStatus::kDeleting);
  ASSERT_THAT(call(*service, put("things", coloured(7, 4))), succeeds());
  plan->pretend_free_bytes(std::nullopt);
  await_table(*service, "things", [](const TableDescription& table) { return table.global_index_states.empty(); });
  while (lines.all().size() < 2) sleep_for(std::chrono::milliseconds(1));
  EXPECT_THAT(lines.all(), testing::ElementsAre(waits, "giving back disk space goes on"));
}

}  // namespace
}  // namespace dolmen::engine
