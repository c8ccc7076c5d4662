// Power cuts while tables are restored and backups are made.
#include <filesystem>
#include <gtest/gtest.h>
#include <random>

#include "base/test_directory.h"
#include "base/test_seed.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

using storage::FaultPlan;

/// A store whose power fails again and again.
class RestorePowerCuts : public testing::Test {
 protected:
  void SetUp() override {
    open();
    ASSERT_THAT(create_table(*service_, with_early_index("things")), succeeds());
    fill_coloured(*service_, "things", 4000);
    ASSERT_THAT(call<UpdateContinuousBackups>(*service_, {.table = "things", .change = {}}), succeeds());
    before_ = scan_all(*service_, "things");
    time_ = clock_.table_time();
    clock_.advance(std::chrono::seconds(1));
    for (int i = 0; i < 900; ++i) {
      const WriteRequest write = i % 3 == 0
                                     ? WriteRequest{.kind = WriteKind::kDelete,
                                                    .table = "things",
                                                    .item = encode_item({{"p", std::to_string(i)}})}
                                     : put("things", coloured(i % 500 + (i % 2) * 5000, static_cast<std::uint64_t>(i)));
      ASSERT_THAT(call(*service_, write), succeeds());
    }
  }

  void open() { service_ = open_engine_with({.clock = &clock_}, {.directory = temp_ / "data", .faults = plan_}); }

  /// Cuts the power when so many more operations on the log have been done. Returns false when the restore ended
  /// before.
  bool cut_power_after(std::uint64_t operations, const std::string& table) {
    plan_->inject({.kind = storage::FaultKind::kPowerCut, .path_part = ".log", .skip = operations});
    while (!plan_->has_crashed() && !is_active(table)) sleep_for(std::chrono::milliseconds(1));
    const bool cut = plan_->has_crashed();
    service_.reset();
    plan_->clear();
    plan_->drop_unsynced();
    open();
    return cut;
  }

  [[nodiscard]] bool is_active(const std::string& table) {
    const Result<TableDescription> found = describe_table(*service_, table);
    return found && has_active_indexes(*found);
  }

  const TemporaryDirectory temp_;
  const std::shared_ptr<FaultPlan> plan_ = std::make_shared<FaultPlan>();
  FixedClock clock_;
  std::unique_ptr<Service> service_;
  std::vector<Item> before_;
  TableTime time_;
};

TEST_F(RestorePowerCuts, leave_no_table_half_restored) {
  std::mt19937_64 random(test_seed("RestorePowerCuts"));
  int cuts = 0;
  for (int round = 0; round < 4; ++round) {
    const std::string target = "restored-" + std::to_string(round);
    ASSERT_THAT(call<RestoreTableToPointInTime>(*service_, {.source = "things", .target = target, .time = time_}),
                succeeds());
    for (int i = 0; i < 3; ++i) cuts += cut_power_after(random() % 8, target) ? 1 : 0;
    const TableDescription table = await_table(*service_, target, has_active_indexes);
    EXPECT_EQ(table.extent.item_count, before_.size());
    EXPECT_EQ(scan_all(*service_, target), before_);
    EXPECT_EQ(scan_all(*service_, target, "early").size(), table.global_index_states.at(0).extent.item_count);
  }
  EXPECT_GT(cuts, 4);
  // The copies of all restores are gone, with those of the interrupted ones.
  service_.reset();
  open();
  EXPECT_TRUE(std::filesystem::is_empty(temp_ / "data" / "copies"));
}

TEST_F(RestorePowerCuts, keep_backups_whole_or_leave_nothing) {
  std::mt19937_64 random(test_seed("BackupPowerCuts"));
  const std::vector<Item> now = scan_all(*service_, "things");
  std::size_t made = 0;
  for (int round = 0; round < 10; ++round) {
    clock_.advance(std::chrono::seconds(1));
    const std::vector<std::string> parts{".log", "MANIFEST", ".sst", "CURRENT"};
    plan_->inject(
        {.kind = storage::FaultKind::kPowerCut, .path_part = parts[random() % parts.size()], .skip = random() % 6});
    made += call<CreateBackup>(*service_, {.table = "things", .name = "nightly"}).has_value() ? 1 : 0;
    service_.reset();
    plan_->clear();
    plan_->drop_unsynced();
    open();
  }
  const BackupPage page = call<ListBackups>(*service_, {}).value();
  EXPECT_GE(page.backups.size(), made);
  for (const BackupSummary& backup : page.backups) {
    ASSERT_THAT(call<RestoreTableFromBackup>(*service_, {.backup_arn = backup.details.arn, .target = "again"}),
                succeeds());
    await_table(*service_, "again", has_active_indexes);
    EXPECT_EQ(scan_all(*service_, "again"), now);
    ASSERT_THAT(delete_table(*service_, "again"), succeeds());
  }
}

}  // namespace
}  // namespace dolmen::engine
