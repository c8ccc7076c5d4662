// Whatever writes an item, everything that follows from the write happens: the gate, the indexes, the sizes, the stream
// and the time to live.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string_view>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "expiry_world.h"
#include "service/write_gate.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kSoon = StillClock::kStart + 10;

/// Counts the items that pass it.
class CountingGate final : public WriteGate {
 public:
  [[nodiscard]] bool needs_old_item() const override { return false; }
  [[nodiscard]] Result<void> check(const GatedWriteView& /*write*/) const override {
    ++passed;
    return {};
  }
  [[nodiscard]] GateFindings findings() const override { return {}; }

  mutable std::atomic<int> passed = 0;
};

WriteRequest removal() { return {.kind = WriteKind::kDelete, .table = "things", .item = encode_item({{"p", "a"}})}; }

WriteRequest addition() {
  return update("things", {{"p", "a"}}, "SET who = :who, ends = :ends", {{":who", "me"}, {":ends", kSoon}});
}

/// How each operation that writes items adds the item "a", or removes it.
struct Writer {
  std::function<bool(Engine&)> add;
  std::function<bool(Engine&)> remove;
};

const std::map<std::string_view, Writer>& writers() {
  const auto put_it = [](Engine& engine) { return call(engine, put("things", expiring("a", kSoon))).has_value(); };
  const auto delete_it = [](Engine& engine) { return call(engine, removal()).has_value(); };
  static const std::map<std::string_view, Writer> kAll = {
      {"PutItem", {put_it, delete_it}},
      {"UpdateItem", {[](Engine& engine) { return call(engine, addition()).has_value(); }, delete_it}},
      {"DeleteItem", {put_it, delete_it}},
      {"BatchWriteItem",
       {[](Engine& engine) {
          return call(engine, BatchWriteRequest{.writes = {put("things", expiring("a", kSoon))}}).has_value();
        },
        [](Engine& engine) { return call(engine, BatchWriteRequest{.writes = {removal()}}).has_value(); }}},
      {"TransactWriteItems",
       {[](Engine& engine) { return call(engine, TransactWriteRequest{.writes = {addition()}}).has_value(); },
        [](Engine& engine) { return call(engine, TransactWriteRequest{.writes = {removal()}}).has_value(); }}},
  };
  return kAll;
}

bool writes_items(const OperationInfo& operation) {
  const bool of_items = operation.family == OperationFamily::kItems || operation.family == OperationFamily::kBatches ||
                        operation.family == OperationFamily::kTransactions;
  return of_items && !operation.reads();
}

TEST(OneDoor, is_passed_by_every_operation_that_writes_items) {
  for (const OperationInfo& operation : Operations::kInfos)
    EXPECT_EQ(writers().contains(operation.name), writes_items(operation)) << operation.name;
}

void expect_item(ExpiryWorld& world, bool there) {
  const TableDescription table = describe_table(*world.engine, "things").value();
  EXPECT_EQ(table.extent.item_count, there ? 1U : 0U);
  EXPECT_EQ(table.global_index_states.at(0).extent, table.extent);
  EXPECT_EQ(table.extent.size_bytes > 0, there);
  EXPECT_EQ(world.keys("by-who").size(), there ? 1U : 0U);
  EXPECT_EQ(world.keys(), world.keys("by-who"));
}

std::vector<StreamEvent> events_of(ExpiryWorld& world) {
  std::vector<StreamEvent> events;
  for (const auto& [shard, records] : world.stream_records())
    for (const ExpiryWorld::StreamRecord& record : records) events.push_back(record.event);
  return events;
}

TEST(OneDoor, leads_to_the_gate_the_indexes_the_sizes_and_the_stream) {
  for (const auto& [name, writer] : writers()) {
    SCOPED_TRACE(name);
    const TemporaryDirectory directory;
    ExpiryWorld world(directory.path());
    const TableDescription table = create_table(*world.engine, things()).value();
    const auto gate = std::make_shared<CountingGate>();
    ASSERT_THAT(wait_for<void>([&](Done<void> done) {
                  world.engine->change_gate({.table = "things", .table_id = table.id, .gate = gate}, std::move(done));
                }),
                succeeds());
    EXPECT_TRUE(writer.add(*world.engine));
    EXPECT_EQ(gate->passed, 1);
    expect_item(world, true);
    EXPECT_TRUE(writer.remove(*world.engine));
    expect_item(world, false);
    EXPECT_THAT(events_of(world), ElementsAre(StreamEvent::kInsert, StreamEvent::kRemove));
    EXPECT_EQ(world.count_expiry_rows(), 0U);
  }
}

TEST(OneDoor, leads_to_the_time_to_live) {
  for (const auto& [name, writer] : writers()) {
    SCOPED_TRACE(name);
    const TemporaryDirectory directory;
    ExpiryWorld world(directory.path());
    ASSERT_THAT(create_table(*world.engine, things()), succeeds());
    EXPECT_TRUE(writer.add(*world.engine));
    world.pass_to(kSoon);
    expect_item(world, true);
    world.pass_to(kSoon + 1);
    expect_item(world, false);
    const auto records = world.stream_records();
    ASSERT_EQ(records.size(), 1U);
    ASSERT_EQ(records.begin()->second.size(), 2U);
    EXPECT_TRUE(records.begin()->second[1].expired);
  }
}

}  // namespace
}  // namespace dolmen::engine
