// Indexes that are added to tables with items, and indexes that are deleted.
#include <gtest/gtest.h>
#include <random>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "base/test_seed.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

/// Puts, updates and deletes random items until told to stop.
void write_randomly(Service& service, const std::string& table, int items, std::uint64_t seed,
                    const std::atomic<bool>& stop) {
  std::mt19937_64 random(seed);
  while (!stop) {
    const int number = static_cast<int>(random() % static_cast<unsigned>(items));
    const Item key{{"p", std::to_string(number)}};
    switch (random() % 4) {
      case 0: ASSERT_THAT(call(service, put(table, coloured(number, random()))), succeeds()); break;
      case 1:
        ASSERT_THAT(call<DeleteItem>(service, {.kind = WriteKind::kDelete, .table = table, .item = encode_item(key)}),
                    succeeds());
        break;
      case 2:
        ASSERT_THAT(call(service, update(table, key, "SET colour = :c", {{":c", "c" + std::to_string(random() % 7)}})),
                    succeeds());
        break;
      default: ASSERT_THAT(call(service, update(table, key, "REMOVE colour")), succeeds()); break;
    }
  }
}

TEST(IndexBuilding, answers_first_that_it_begins_and_then_that_it_goes_on) {
  Lines lines;
  const auto service = open_engine_with({.log = lines.sink()});
  ASSERT_THAT(create_table(*service, with_early_index("things")), succeeds());
  fill_coloured(*service, "things", 100);
  const TableDescription answer = add_late_index(*service, "things").value();
  EXPECT_EQ(answer.status, TableStatus::kUpdating);
  ASSERT_EQ(answer.global_index_states.size(), 2U);
  EXPECT_EQ(answer.global_index_states[0].status, TableStatus::kActive);
  EXPECT_EQ(answer.global_index_states[1].status, TableStatus::kCreating);
  EXPECT_EQ(answer.global_index_states[1].backfilling, false);
  const TableDescription done = await_table(*service, "things", has_active_indexes);
  EXPECT_EQ(done.global_index_states[1].backfilling, std::nullopt);
  expect_equal_indexes(*service, "things");
  EXPECT_THAT(lines.all(), testing::ElementsAre("index late of table things is being built from 100 items",
                                                testing::StartsWith("index late of table things is ready with ")));
}

TEST(IndexBuilding, ends_with_the_same_rows_as_an_index_that_was_there_from_the_start) {
  const std::uint64_t seed = test_seed("IndexBuilding");
  constexpr int kItems = 5000;
  const TemporaryDirectory temp;
  const auto service = open_engine_with({}, {.directory = temp / "data"});
  ASSERT_THAT(create_table(*service, with_early_index("things")), succeeds());
  fill_coloured(*service, "things", kItems);
  std::atomic<bool> stop = false;
  {
    std::vector<std::jthread> writers;
    for (std::uint64_t i = 0; i < 3; ++i)
      writers.emplace_back([&, i] { write_randomly(*service, "things", kItems, seed + i, stop); });
    ASSERT_THAT(add_late_index(*service, "things"), succeeds());
    await_table(*service, "things", has_active_indexes);
    stop = true;
  }
  expect_equal_indexes(*service, "things");
}

TEST(IndexBuilding, goes_on_where_it_was_after_every_restart) {
  constexpr int kItems = 20'000;
  constexpr int kRestarts = 5;
  const TemporaryDirectory temp;
  Lines lines;
  auto service = open_engine_with({.log = lines.sink()}, {.directory = temp / "data"});
  ASSERT_THAT(create_table(*service, with_early_index("things")), succeeds());
  fill_coloured(*service, "things", kItems);
  ASSERT_THAT(add_late_index(*service, "things"), succeeds());
  for (int i = 0; i < kRestarts; ++i) {
    const auto rows = [](const TableDescription& table) { return table.global_index_states[1].extent.item_count; };
    const std::uint64_t before = rows(describe_table(*service, "things").value());
    await_table(*service, "things", [&](const TableDescription& table) { return rows(table) > before; });
    service.reset();
    service = open_engine_with({.log = lines.sink()}, {.directory = temp / "data"});
  }
  EXPECT_THAT(lines.all(), testing::Contains("index late of table things is being built further, from a table of 20000 "
                                             "items"));
  await_table(*service, "things", has_active_indexes);
  expect_equal_indexes(*service, "things");
}

TEST(IndexBuilding, skips_items_that_cannot_be_in_the_index) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}}), succeeds());
  const Item items[] = {{{"p", "wrong type"}, {"colour", 7}, {"rank", 1}},
                        {{"p", "empty"}, {"colour", ""}, {"rank", 1}},
                        {{"p", "long"}, {"colour", std::string(2049, 'x')}, {"rank", 1}},
                        {{"p", "no rank"}, {"colour", "red"}},
                        {{"p", "text rank"}, {"colour", "red"}, {"rank", "1"}},
                        {{"p", "good"}, {"colour", std::string(2048, 'x')}, {"rank", 1}}};
  for (const Item& item : items) ASSERT_THAT(call(*service, put("things", item)), succeeds());
  ASSERT_THAT(add_late_index(*service, "things"), succeeds());
  const TableDescription table = await_table(*service, "things", has_active_indexes);
  EXPECT_EQ(table.extent.item_count, 6U);
  EXPECT_EQ(table.global_index_states[0].extent.item_count, 1U);
  EXPECT_EQ(scan_all(*service, "things", "late").at(0).at("p").string(), "good");

  // Now no such item can be written, but one that is there may change elsewhere.
  EXPECT_THAT(call(*service, put("things", items[0])),
              fails_with(Code::kValidation,
                         "One or more parameter values were invalid: Type mismatch for Index Key "
                         "colour Expected: S Actual: N IndexName: late"));
  const Item key{{"p", "wrong type"}};
  ASSERT_THAT(call(*service, update("things", key, "SET note = :n", {{":n", "x"}})), succeeds());
  EXPECT_THAT(call(*service, update("things", key, "SET colour = :n", {{":n", 8}})), fails_with(Code::kValidation));
  ASSERT_THAT(call(*service, update("things", key, "SET colour = :n", {{":n", "red"}})), succeeds());
  EXPECT_EQ(describe_table(*service, "things").value().global_index_states[0].extent.item_count, 2U);
}

/// A table with a new index that takes a while to build, because others write at the same time.
class LongBuild : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(create_table(*service_, with_early_index("things")), succeeds());
    fill_coloured(*service_, "things", 30'000);
    writer_ = std::jthread([this] { write_randomly(*service_, "things", 1000, 1, stop_); });
    ASSERT_THAT(add_late_index(*service_, "things"), succeeds());
  }
  void TearDown() override { stop_writing(); }

  void stop_writing() {
    stop_ = true;
    if (writer_.joinable()) writer_.join();
  }

  Result<TableDescription> update_indexes(std::vector<IndexChange> changes) {
    return call<UpdateTable>(*service_, {.table = "things", .indexes = std::move(changes)});
  }

  const TemporaryDirectory temp_;
  std::unique_ptr<Service> service_ = open_engine_with({}, {.directory = temp_ / "data"});
  std::atomic<bool> stop_ = false;
  std::jthread writer_;
};

TEST_F(LongBuild, refuses_what_dynamodb_refuses_meanwhile) {
  const std::string one_index =
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table";
  EXPECT_THAT(call<Query>(*service_, {.table = "things",
                                      .index = "late",
                                      .key_condition = Expression{"colour = :c"},
                                      .placeholders = {.values = {{":c", "c1"}}}}),
              fails_with(Code::kValidation, "Cannot read from backfilling global secondary index: late"));
  EXPECT_THAT(update_indexes({CreateIndex{by_colour("later")}}), fails_with(Code::kLimitExceeded, one_index));
  EXPECT_THAT(update_indexes({DeleteIndex{"early"}}), fails_with(Code::kLimitExceeded, one_index));
  EXPECT_THAT(delete_table(*service_, "things"),
              fails_with(Code::kTableInUse,
                         "Attempt to change a resource which is still in use: Cannot delete table "
                         "while indexes are being created, updated, or deleted."));
  EXPECT_THAT(call<UpdateTable>(*service_, {.table = "things", .on_demand = OnDemandThroughput{1, 1}}),
              fails_with(Code::kTableInUse,
                         "Attempt to change a resource which is still in use: OnDemandThroughput "
                         "cannot be updated while index creation is in progress for indexes: "
                         "[late]"));
  ASSERT_THAT(call<UpdateTable>(*service_, {.table = "things", .deletion_protection = true}), succeeds());
  EXPECT_EQ(describe_table(*service_, "things").value().global_index_states[1].backfilling, true);
  EXPECT_EQ(describe_table(*service_, "things").value().status, TableStatus::kActive);
}

TEST_F(LongBuild, ends_when_its_index_is_deleted) {
  const TableDescription answer = update_indexes({DeleteIndex{"late"}}).value();
  EXPECT_EQ(answer.status, TableStatus::kUpdating);
  EXPECT_EQ(answer.global_index_states[1].status, TableStatus::kDeleting);
  stop_writing();
  const TableDescription table = await_table(*service_, "things", [](const TableDescription& description) {
    return description.global_index_states.size() == 1;
  });
  EXPECT_EQ(table.status, TableStatus::kActive);
  // The same name can be used again, for an index that has nothing of the old one.
  ASSERT_THAT(update_indexes({CreateIndex{by_colour("late")}}), succeeds());
  await_table(*service_, "things", has_active_indexes);
  expect_equal_indexes(*service_, "things");
}

TEST(IndexDeletion, leaves_at_once_and_frees_its_attributes) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, with_early_index("things")), succeeds());
  ASSERT_THAT(call(*service, put("things", {{"p", "1"}, {"colour", "red"}, {"rank", 1}})), succeeds());
  ASSERT_THAT(call<UpdateTable>(*service, {.table = "things", .indexes = {DeleteIndex{"early"}}}), succeeds());
  EXPECT_THAT(call<Scan>(*service, {.table = "things", .index = "early"}),
              fails_with(Code::kValidation, "The table does not have the specified index: early"));
  ASSERT_THAT(call(*service, put("things", {{"p", "1"}, {"colour", 7}})), succeeds());
  await_table(*service, "things", [](const TableDescription& table) { return table.global_index_states.empty(); });
  ASSERT_THAT(delete_table(*service, "things"), succeeds());
}

std::uintmax_t bytes_in(const std::filesystem::path& directory) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    std::error_code gone;
    const std::uintmax_t size = entry.is_regular_file(gone) ? entry.file_size(gone) : 0;
    if (entry.path().extension() == ".sst" && !gone) bytes += size;
  }
  return bytes;
}

TEST(DiskSpace, comes_back_when_an_index_or_a_table_is_deleted) {
  const std::uint64_t seed = test_seed("DiskSpace");
  std::mt19937_64 random(seed);
  const TemporaryDirectory temp;
  const auto service = open_engine_with({}, {.directory = temp / "data", .write_buffer_bytes = std::size_t{1} << 20});
  const auto add = [&](const std::string& table) {
    ASSERT_THAT(create_table(*service, {.name = table,
                                        .partition_key = {"p"},
                                        .global_indexes = {{.name = "whole", .partition_keys = {{"q"}}}}}),
                succeeds());
    for (int i = 0; i < 2000; ++i) {
      std::string bytes(4000, ' ');
      for (char& byte : bytes) byte = static_cast<char>('a' + random() % 26);
      ASSERT_THAT(call(*service, put(table, {{"p", std::to_string(i)}, {"q", "q"}, {"bytes", bytes}})), succeeds());
    }
  };
  add("kept");
  add("gone");
  constexpr std::uintmax_t kCopyBytes = std::uintmax_t{2000} * 4000 / 2;  // Letters are compressed.
  const std::uintmax_t before = bytes_in(temp.path());
  ASSERT_GT(before, 2 * kCopyBytes);
  ASSERT_THAT(call<UpdateTable>(*service, {.table = "gone", .indexes = {DeleteIndex{"whole"}}}), succeeds());
  await_table(*service, "gone", [](const TableDescription& table) { return table.global_index_states.empty(); });
  const std::uintmax_t without_index = bytes_in(temp.path());
  ASSERT_THAT(delete_table(*service, "gone"), succeeds());
  while (bytes_in(temp.path()) + kCopyBytes > without_index) sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(scan_all(*service, "kept").size(), 2000U);
  EXPECT_EQ(scan_all(*service, "kept", "whole").size(), 2000U);
  EXPECT_EQ(describe_table(*service, "kept").value().extent.item_count, 2000U);
}

}  // namespace
}  // namespace dolmen::engine
