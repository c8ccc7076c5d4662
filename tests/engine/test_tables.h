#pragma once

// Shared by the tests of changes of tables. Not part of the library.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/sleep.h"
#include "base/test_result.h"
#include "storage/fault_plan.h"
#include "test_engine.h"

namespace dolmen::engine {

/// In memory, unless the storage has a directory.
inline std::unique_ptr<Service> open_engine_with(EngineOptions options, storage::Options storage = {}) {
  storage.durability = storage.directory.empty() ? Durability::kMemory : Durability::kSync;
  storage.keyspaces = keyspaces::names();
  return Engine::open(storage::Storage::open(storage).value(), std::move(options)).value();
}

/// Stands still, except when it is told to go on.
class FixedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::seconds(seconds_.load())); }
  [[nodiscard]] TableTime table_time() const { return std::chrono::time_point_cast<std::chrono::milliseconds>(now()); }
  void advance(std::chrono::seconds time) { seconds_ += time.count(); }

 private:
  std::atomic<std::int64_t> seconds_ = 1'800'000'000;
};

/// The lines for the operator.
class Lines {
 public:
  std::function<void(std::string)> sink() {
    return [this](std::string line) {
      const std::lock_guard lock(lines_mutex_);
      lines_.push_back(std::move(line));
    };
  }

  [[nodiscard]] std::vector<std::string> all() const {
    const std::lock_guard lock(lines_mutex_);
    return lines_;
  }

 private:
  mutable std::mutex lines_mutex_;
  std::vector<std::string> lines_;
};

/// Waits until the table looks as it should, which it must do at some time.
template <class Condition>
TableDescription await_table(Service& service, const std::string& name, Condition condition) {
  while (true) {
    TableDescription table = describe_table(service, name).value();
    if (condition(table)) return table;
    sleep_for(std::chrono::milliseconds(1));
  }
}

inline bool has_active_indexes(const TableDescription& table) {
  for (const GlobalIndexState& index : table.global_index_states)
    if (index.status != TableStatus::kActive) return false;
  return table.status == TableStatus::kActive;
}

/// All items of a table or an index, in their order.
inline std::vector<Item> scan_all(Service& service, const std::string& table, std::optional<std::string> index = {}) {
  std::vector<Item> items;
  ReadManyRequest request{.table = table, .index = std::move(index)};
  do {
    ReadManyResponse page = call<Scan>(service, request).value();
    for (const EncodedItem& item : page.items) items.push_back(decode_item(item.bytes).value());
    request.start_key = std::move(page.last_key);
  } while (request.start_key);
  return items;
}

/// An index of `with_early_index`.
inline IndexDefinition by_colour(std::string name) {
  return {.name = std::move(name),
          .partition_keys = {{"colour"}},
          .sort_keys = {{"rank", KeyType::kNumber}},
          .projection = ProjectionType::kInclude,
          .included_attributes = {"note"}};
}

/// A table with an index that was there from the start, with which a later one is compared.
inline TableDefinition with_early_index(std::string name) {
  return {.name = std::move(name), .partition_key = {"p"}, .global_indexes = {by_colour("early")}};
}

/// An item of that table. One in five has no colour and one in three no rank.
inline Item coloured(int number, std::uint64_t random) {
  Item item{{"p", std::to_string(number)}, {"note", "n" + std::to_string(random % 100)}, {"other", "o"}};
  if (random % 5 != 0) item.set("colour", "c" + std::to_string(random % 7));
  if (random % 3 != 0) item.set("rank", static_cast<std::int64_t>(random % 1000));
  return item;
}

inline void fill_coloured(Service& service, const std::string& table, int count) {
  for (int first = 0; first < count; first += 25) {
    BatchWriteRequest batch;
    for (int i = first; i < std::min(first + 25, count); ++i)
      batch.writes.push_back(put(table, coloured(i, static_cast<std::uint64_t>(i) * 2654435761U >> 7)));
    ASSERT_THAT(call(service, std::move(batch)), succeeds());
  }
}

inline Result<TableDescription> add_late_index(Service& service, const std::string& table) {
  return call<UpdateTable>(service, {.table = table, .indexes = {CreateIndex{by_colour("late")}}});
}

inline void expect_equal_indexes(Service& service, const std::string& table) {
  const TableDescription description = describe_table(service, table).value();
  ASSERT_EQ(description.global_index_states.size(), 2U);
  EXPECT_EQ(description.global_index_states[0].extent, description.global_index_states[1].extent);
  const std::vector<Item> early = scan_all(service, table, "early");
  EXPECT_EQ(early, scan_all(service, table, "late"));
  EXPECT_EQ(early.size(), description.global_index_states[1].extent.item_count);
}

}  // namespace dolmen::engine
