#pragma once

// Shared by the tests of time to live. Not part of the library.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/expiry.h"
#include "engine/stream_log.h"
#include "storage/fault_plan.h"
#include "test_engine.h"

namespace dolmen::engine {

/// Stands still until it is moved.
class StillClock final : public Clock {
 public:
  /// In the year 2033.
  static constexpr std::int64_t kStart = 2'000'000'000;

  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::milliseconds(milliseconds_)); }
  void set(std::int64_t seconds) { milliseconds_ = seconds * 1000; }

 private:
  std::atomic<std::int64_t> milliseconds_ = kStart * 1000;
};

/// An engine whose time the test decides.
struct ExpiryWorld {
  StillClock clock;
  std::shared_ptr<storage::FaultPlan> faults = std::make_shared<storage::FaultPlan>();
  std::filesystem::path directory;
  std::vector<std::string> log_lines;
  std::mutex log_mutex;
  std::unique_ptr<Engine> engine;

  explicit ExpiryWorld(std::filesystem::path where = {}) : directory(std::move(where)) { open(); }

  [[nodiscard]] std::unique_ptr<storage::Storage> storage() const {
    return storage::Storage::open({.directory = directory,
                                   .durability = directory.empty() ? Durability::kMemory : Durability::kSync,
                                   .keyspaces = keyspaces::names(),
                                   .faults = directory.empty() ? nullptr : faults})
        .value();
  }
  void open() {
    const auto log = [this](std::string line) {
      const std::lock_guard lock(log_mutex);
      log_lines.push_back(std::move(line));
    };
    engine = Engine::open(storage(), {.clock = &clock, .log = log}).value();
  }
  void reopen() {
    engine.reset();
    open();
  }
  /// Lets the time come, and waits for what it brings.
  void pass_to(std::int64_t seconds) {
    clock.set(seconds);
    engine->finish_expiry();
  }

  Result<TimeToLiveChange> update(const std::string& table, const std::string& attribute, bool enabled = true) {
    return call<UpdateTimeToLive>(*engine, {.table = table, .change = {.attribute = attribute, .enabled = enabled}});
  }
  Result<TimeToLive> describe(const std::string& table) { return call<DescribeTimeToLive>(*engine, {.table = table}); }
  void put_all(const std::vector<Item>& items) {
    for (std::size_t i = 0; i < items.size();) {
      BatchWriteRequest batch;
      for (; i < items.size() && batch.writes.size() < 25; ++i) batch.writes.push_back(put("things", items[i]));
      ASSERT_TRUE(call(*engine, batch));
    }
  }
  /// The values of the key, sorted.
  std::vector<std::string> keys(const std::optional<std::string>& index = std::nullopt) {
    std::vector<std::string> found;
    ReadManyRequest request{.table = "things", .index = index};
    do {
      const ReadManyResponse page = call(*engine, request).value();
      for (const EncodedItem& item : page.items) found.push_back(decode_item(item.bytes).value().at("p").string());
      request.start_key = page.last_key;
    } while (request.start_key);
    std::ranges::sort(found);
    return found;
  }

  /// The stored rows by which items expire, and the records of streams, shard by shard. They close the engine.
  std::size_t count_expiry_rows() {
    engine.reset();
    const auto closed = storage();
    std::size_t count = 0;
    auto rows = closed->iterate(keyspaces::kExpiry, {});
    for (rows.seek_first(); rows.valid(); rows.next()) ++count;
    return count;
  }
  struct StreamRecord {
    StreamEvent event;
    bool expired;
    Item old_image;
  };
  std::map<std::string, std::vector<StreamRecord>> stream_records() {
    engine.reset();
    const auto closed = storage();
    std::map<std::string, std::vector<StreamRecord>> shards;
    auto rows = closed->iterate(keyspaces::kStreams, {});
    for (rows.seek_first(); rows.valid(); rows.next()) {
      const streams::RecordView record = streams::decode_record(rows.value()).value();
      shards[std::string(rows.key().substr(0, rows.key().size() - 8))].push_back(
          {record.event, record.expired, record.old_image ? decode_item(*record.old_image).value() : Item{}});
    }
    return shards;
  }
};

/// With a time to live, a stream with old images, and an index of each kind.
inline TableDefinition things() {
  return {.name = "things",
          .partition_key = {"p"},
          .global_indexes = {{.name = "by-who", .partition_keys = {{"who"}}}},
          .stream = StreamView::kOldImage,
          .ttl = "ends"};
}

inline Item expiring(std::string key, std::int64_t until) {
  return {{"p", std::move(key)}, {"who", "me"}, {"ends", until}};
}

}  // namespace dolmen::engine
