// Points in time: the history of tables, and tables that are restored from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "engine/history.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A table with a history, and a clock that stands still.
class PointInTime : public testing::Test {
 protected:
  void SetUp() override {
    service_ = open_engine_with({.clock = &clock_});
    ASSERT_THAT(create_table(*service_, with_early_index("things")), succeeds());
  }

  Result<ContinuousBackups> keep(PointInTimeChange change = {}) {
    return call<UpdateContinuousBackups>(*service_, {.table = "things", .change = change});
  }
  PointInTimeRecovery described() {
    return call<DescribeContinuousBackups>(*service_, {.table = "things"}).value().point_in_time;
  }
  void write(const std::string& key, int rank) {
    ASSERT_THAT(call(*service_, put("things", {{"p", key}, {"colour", "red"}, {"rank", rank}})), succeeds());
  }
  void remove(const std::string& key) {
    ASSERT_THAT(
        call(*service_, WriteRequest{.kind = WriteKind::kDelete, .table = "things", .item = encode_item({{"p", key}})}),
        succeeds());
  }
  Result<TableDescription> restore(const std::string& target, std::optional<TableTime> time = {},
                                   RestoreOverrides overrides = {}) {
    return call<RestoreTableToPointInTime>(
        *service_, {.source = "things", .target = target, .time = time, .overrides = std::move(overrides)});
  }
  /// What the ranks of the restored items are, by their keys.
  std::map<std::string, std::int64_t> restored(const std::string& target, TableTime time) {
    EXPECT_THAT(restore(target, time), succeeds());
    await_table(*service_, target, has_active_indexes);
    std::map<std::string, std::int64_t> found;
    for (const Item& item : scan_all(*service_, target)) found[item.at("p").string()] = number_in(item, "rank");
    EXPECT_EQ(scan_all(*service_, target, "early").size(), found.size());
    return found;
  }
  TableTime now() { return clock_.table_time(); }

  FixedClock clock_;
  std::unique_ptr<Service> service_;
};

TEST_F(PointInTime, is_off_until_it_is_asked_for) {
  EXPECT_EQ(described(), PointInTimeRecovery{});
  EXPECT_THAT(restore("copy", now()),
              fails_with(Code::kPointInTimeUnavailable, "Point in time recovery is not enabled for table 'things'"));
  ASSERT_THAT(keep(), succeeds());
  EXPECT_EQ(described(), (PointInTimeRecovery{.enabled = true, .period_days = 35, .earliest = now(), .latest = now()}));
}

TEST_F(PointInTime, shows_the_table_as_it_was_at_each_second) {
  write("before", 1);
  ASSERT_THAT(keep(), succeeds());
  const TableTime first = now();
  clock_.advance(std::chrono::seconds(1));
  write("a", 1);
  write("a", 2);
  clock_.advance(std::chrono::seconds(1));
  write("a", 3);
  remove("before");
  clock_.advance(std::chrono::seconds(1));
  remove("a");
  clock_.advance(std::chrono::seconds(1));
  EXPECT_EQ(restored("at-0", first), (std::map<std::string, std::int64_t>{{"before", 1}}));
  EXPECT_EQ(restored("at-1", first + std::chrono::seconds(1)),
            (std::map<std::string, std::int64_t>{{"a", 2}, {"before", 1}}));
  EXPECT_EQ(restored("at-2", first + std::chrono::seconds(2)), (std::map<std::string, std::int64_t>{{"a", 3}}));
  EXPECT_EQ(restored("at-3", first + std::chrono::seconds(3)), (std::map<std::string, std::int64_t>{}));
}

TEST_F(PointInTime, tells_from_when_on_it_can_restore) {
  ASSERT_THAT(keep({.period_days = 2}), succeeds());
  const TableTime first = now();
  clock_.advance(std::chrono::days(1));
  EXPECT_EQ(described().earliest, first);
  clock_.advance(std::chrono::days(2));
  EXPECT_EQ(described().earliest, first + std::chrono::days(1));
  EXPECT_THAT(restore("copy", first),
              fails_with(Code::kInvalidRestoreTime,
                         "RestoreDateTime '2027-01-15T08:00:00Z' must be within EarliestRestorableDateTime "
                         "'2027-01-16T08:00:00Z' and LatestRestorableDateTime '2027-01-18T08:00:00Z'"));
  EXPECT_THAT(restore("copy", now() + std::chrono::seconds(1)), fails_with(Code::kInvalidRestoreTime));
  // What a shorter period let go does not come back with a longer one.
  ASSERT_THAT(keep({.period_days = 35}), succeeds());
  EXPECT_EQ(described().earliest, first + std::chrono::days(1));
}

TEST_F(PointInTime, begins_anew_when_it_was_off) {
  ASSERT_THAT(keep({.period_days = 3}), succeeds());
  clock_.advance(std::chrono::seconds(10));
  ASSERT_THAT(keep({.enabled = false}), succeeds());
  EXPECT_EQ(described(), PointInTimeRecovery{});
  clock_.advance(std::chrono::seconds(10));
  ASSERT_THAT(keep(), succeeds());
  EXPECT_EQ(described().earliest, now());
  EXPECT_EQ(described().period_days, 35);
}

TEST_F(PointInTime, refuses_what_dynamodb_refuses) {
  EXPECT_THAT(
      keep({.enabled = false, .period_days = 3}),
      fails_with(Code::kValidation,
                 "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery."));
  EXPECT_THAT(keep({.period_days = 36}), fails_with(Code::kValidation));
  EXPECT_THAT(keep({.period_days = 0}), fails_with(Code::kValidation));
  EXPECT_THAT(call<DescribeContinuousBackups>(*service_, {.table = "nothing"}),
              fails_with(Code::kSourceTableNotFound, "Table not found: nothing"));
  EXPECT_THAT(call<UpdateContinuousBackups>(*service_, {.table = "nothing", .change = {}}),
              fails_with(Code::kSourceTableNotFound, "Table not found: nothing"));
  ASSERT_THAT(keep(), succeeds());
  EXPECT_THAT(restore("things", now()), fails_with(Code::kTargetTableExists, "Table already exists: things"));
  EXPECT_THAT(call<RestoreTableToPointInTime>(
                  *service_, {.source = "arn:aws:dynamodb:us-east-1:000000000000:table/nothing", .target = "copy"}),
              fails_with(Code::kSourceTableNotFound, "Table not found"));
  EXPECT_THAT(restore("copy", now(), {.throughput = Throughput{1, 1}}),
              fails_with(Code::kValidation,
                         "Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED"));
  // Nothing stands for the throughput of the table's index.
  EXPECT_THAT(restore("copy", now(), {.billing_mode = BillingMode::kProvisioned, .throughput = Throughput{1, 1}}),
              fails_with(Code::kValidation, "Invalid Request: Must specify provisioned throughput for index early"));
  EXPECT_THAT(restore("copy", now(),
                      {.global_indexes = std::vector<IndexOverride>{{.name = "other", .partition_keys = {"colour"}}}}),
              fails_with(Code::kValidation,
                         "Invalid Request: Index other does not match a secondary index that existed in the source "
                         "table and cannot be created during the restore operation"));
  EXPECT_THAT(list_tables(*service_).value().names, ElementsAre("things"));
}

TEST_F(PointInTime, lets_a_restored_table_differ) {
  ASSERT_THAT(keep(), succeeds());
  write("a", 1);
  ASSERT_THAT(restore("bare", now(), {.global_indexes = std::vector<IndexOverride>{}}), succeeds());
  EXPECT_THAT(await_table(*service_, "bare", has_active_indexes).definition.global_indexes, IsEmpty());
  const IndexOverride renamed{.name = "renamed",
                              .partition_keys = {"colour"},
                              .sort_keys = {"rank"},
                              .projection = ProjectionType::kInclude,
                              .included_attributes = {"note"},
                              .throughput = Throughput{3, 4}};
  ASSERT_THAT(restore("paid", now(),
                      {.billing_mode = BillingMode::kProvisioned,
                       .global_indexes = std::vector{renamed},
                       .throughput = Throughput{1, 2}}),
              succeeds());
  const TableDefinition paid = await_table(*service_, "paid", has_active_indexes).definition;
  EXPECT_EQ(paid.throughput, (Throughput{1, 2}));
  EXPECT_EQ(paid.global_indexes.at(0).name, "renamed");
  EXPECT_EQ(paid.global_indexes.at(0).throughput, (Throughput{3, 4}));
  EXPECT_THAT(scan_all(*service_, "paid", "renamed"), SizeIs(1));
}

TEST_F(PointInTime, restores_the_latest_moment_and_leaves_the_settings_behind) {
  ASSERT_THAT(call<UpdateTable>(*service_, {.table = "things", .deletion_protection = true}), succeeds());
  ASSERT_THAT(keep(), succeeds());
  write("a", 1);
  clock_.advance(std::chrono::seconds(1));
  const TableDescription begun = restore("copy").value();
  EXPECT_EQ(begun.status, TableStatus::kCreating);
  EXPECT_EQ(begun.restore,
            (RestoreSummary{.table_arn = "arn:aws:dynamodb:us-east-1:000000000000:table/things", .time = now()}));
  const TableDescription table = await_table(*service_, "copy", has_active_indexes);
  EXPECT_FALSE(table.restore);
  EXPECT_FALSE(table.definition.deletion_protection);
  EXPECT_EQ(table.extent, describe_table(*service_, "things").value().extent);
  EXPECT_FALSE(call<DescribeContinuousBackups>(*service_, {.table = "copy"}).value().point_in_time.enabled);
}

TEST_F(PointInTime, has_a_transaction_whole_or_not_at_all) {
  ASSERT_THAT(keep(), succeeds());
  for (int i = 0; i < 20; ++i) {
    TransactWriteRequest both;
    for (const char* key : {"a", "b"})
      both.writes.push_back(put("things", {{"p", key}, {"colour", "red"}, {"rank", i}}));
    ASSERT_THAT(call(*service_, std::move(both)), succeeds());
    clock_.advance(std::chrono::seconds(1));
  }
  const TableTime last = now();
  for (int back = 1; back <= 20; back += 6) {
    const auto found = restored("back-" + std::to_string(back), last - std::chrono::seconds(back));
    EXPECT_EQ(found.at("a"), found.at("b"));
    EXPECT_EQ(found.at("a"), 20 - back);
  }
}

TEST(History, costs_nothing_where_nobody_asked_for_it) {
  const auto storage = storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()});
  const auto rows = [&] {
    auto found = (*storage)->iterate(keyspaces::kHistory, {});
    found.seek_first();
    return found.valid();
  };
  EXPECT_FALSE(rows());
  const Table table = make_table({.name = "things", .partition_key = {"p"}}, 2);
  storage::Batch batch;
  const EncodedItem item = encode_item({{"p", "a"}});
  history::stage(batch, table,
                 {.row_key = "0001key", .new_item = &item, .now = TableTime(std::chrono::milliseconds(5))});
  EXPECT_TRUE(batch.empty());
}

TEST(History, numbers_changes_in_their_order_even_when_the_clock_steps_back) {
  Table table = make_table({.name = "things", .partition_key = {"p"}}, 2);
  history::begin(table, 7, 35, TableTime(std::chrono::milliseconds(1000)));
  const auto storage =
      storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()}).value();
  const EncodedItem item = encode_item({{"p", "a"}});
  int number = 0;
  for (const int now : {1000, 1000, 400, 2000, 1999}) {
    storage::Batch batch;
    const std::string row = "0001" + std::to_string(number++);
    history::stage(batch, table, {.row_key = row, .new_item = &item, .now = TableTime(std::chrono::milliseconds(now))});
    ASSERT_THAT(storage->commit(std::move(batch)), succeeds());
  }
  std::vector<std::string> order;
  std::vector<std::int64_t> times;
  auto rows = storage->iterate(keyspaces::kHistory, {});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    const history::RowView row = history::read_row(rows.key(), rows.value()).value();
    order.emplace_back(row.row_key);
    times.push_back(row.time.time_since_epoch().count());
    EXPECT_FALSE(row.old_item);
  }
  EXPECT_THAT(order, ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_THAT(times, ElementsAre(1000, 1000, 1000, 2000, 2000));
}

}  // namespace
}  // namespace dolmen::engine
