#include "dolmen/testing.h"

#include <chrono>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "dolmen/documents.h"
#include "dolmen/embedded.h"
#include "dolmen/lease.h"
#include "dolmen/remote.h"
#include "dolmen/tables.h"

// What tests of programs get: dolmen/testing.h.
namespace dolmen {
namespace {

using namespace std::chrono_literals;

void make_notes(Store& store) {
  store.create_table({.name = "notes", .partition_key = {"id", KeyType::kString}, .ttl = "expires"}).value();
  store.put_item("notes", {{"id", "kept"}, {"text", "stone"}}).value();
}

std::uint64_t count_of(Store& store) { return store.count("notes", ScanOptions{}).value().count; }

std::int64_t seconds_of(TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

TEST(Testing, a_fork_of_a_fixture_is_writable_and_leaves_the_fixture_alone) {
  const TemporaryDirectory temp;
  const std::string fixture = temp / "shop";
  make_notes(*open_embedded({.directory = fixture}).value());
  std::string where;
  {
    const auto one = testing::fork(fixture).value();
    const auto two = testing::fork(fixture).value();
    where = one.directory();
    one->put_item("notes", {{"id", "new"}}).value();
    EXPECT_EQ(count_of(*one), 2U);
    EXPECT_EQ(count_of(*two), 1U);
    EXPECT_TRUE(std::filesystem::exists(where));
  }
  EXPECT_FALSE(std::filesystem::exists(where));
  EXPECT_EQ(count_of(*open_embedded({.directory = fixture}).value()), 1U);
}

TEST(Testing, a_store_forks_with_its_schemas_and_documents) {
  const TemporaryDirectory temp;
  const auto store = open_embedded({.directory = temp / "data"}).value();
  auto documents = Documents::open(*store).value();
  documents
      .publish(R"({"schema_id":"users","schema_version":"v1","description":"x",
                   "fields":{"_id":{"type":"string","required":true}}})")
      .value();
  documents.insert({"users", "v1"}, R"({"_id":"a"})").value();
  const auto fork = store->fork(temp / "fork").value();
  auto forked = Documents::open(*fork).value();
  forked.insert({"users", "v1"}, R"({"_id":"b"})").value();
  EXPECT_TRUE(forked.get({"users", "v1"}, "a"));
  EXPECT_FALSE(documents.get({"users", "v1"}, "b"));
}

TEST(Testing, a_store_in_memory_forks_too) {
  const auto store = testing::open_memory().value();
  make_notes(*store);
  store.faults().throttle(1);
  const auto fork = store.fork().value();
  // The faults of one are not those of the other.
  fork->put_item("notes", {{"id", "new"}}).value();
  EXPECT_EQ(count_of(*fork), 2U);
  EXPECT_THAT(store->get_item("notes", {{"id", "kept"}}), fails_with(Code::kThrottled));
  store.faults().clear();
  EXPECT_EQ(count_of(*store), 1U);
  EXPECT_EQ(store->describe_table("notes")->extent.item_count, 1U);
  EXPECT_EQ(fork->describe_table("notes")->extent.item_count, 2U);
}

TEST(Testing, a_fork_has_what_was_there_when_it_was_made) {
  const auto store = testing::open_on_disk().value();
  make_notes(*store);
  const auto fork = store.fork().value();
  store->put_item("notes", {{"id", "later"}}).value();
  EXPECT_EQ(count_of(*fork), 1U);
  EXPECT_EQ(fork.clock().time(), store.clock().time());
  EXPECT_THAT(store->fork(), fails_with(Code::kInvalidArgument));
}

TEST(Testing, items_expire_when_the_clock_is_moved) {
  const auto store = testing::open_memory().value();
  make_notes(*store);
  store->put_item("notes", {{"id", "short"}, {"expires", seconds_of(store.clock().time() + 10min)}}).value();
  store.clock().advance(9min);
  EXPECT_EQ(count_of(*store), 2U);
  store.clock().advance(1h);
  EXPECT_EQ(count_of(*store), 1U);
}

TEST(Testing, leases_end_when_the_clock_is_moved) {
  const auto store = testing::open_memory().value();
  store
      ->create_table({.name = "locks",
                      .partition_key = {"pk", KeyType::kString},
                      .sort_key = KeyAttribute{"sk", KeyType::kString}})
      .value();
  Leases leases(*store, "locks", {.clock = {.now = store.clock().now()}});
  ASSERT_THAT(leases.acquire({"job", "LOCK"}, 30s), succeeds());
  EXPECT_THAT(leases.acquire({"job", "LOCK"}, 30s), fails_with(Code::kLeaseHeld));
  store.clock().advance(1min);
  EXPECT_THAT(leases.acquire({"job", "LOCK"}, 30s), succeeds());
}

TEST(Testing, a_server_has_a_port_faults_and_a_clock_of_its_own) {
  const auto server = testing::serve().value();
  const auto other = testing::serve().value();
  EXPECT_NE(server.port(), other.port());
  const auto store = open_remote({.endpoint = server.url(), .retry = {.attempts_max = 1}}).value();
  make_notes(*store);
  store->put_item("notes", {{"id", "short"}, {"expires", seconds_of(server.clock().time() + 10min)}}).value();
  server.clock().advance(1h);
  EXPECT_EQ(count_of(*store), 1U);
  server.faults().throttle(1);
  EXPECT_THAT(store->get_item("notes", {{"id", "kept"}}), fails_with(Code::kThrottled));
  server.faults().clear();
  EXPECT_THAT(store->get_item("notes", {{"id", "kept"}}), succeeds());
}

TEST(Testing, a_server_serves_a_fork_of_a_fixture) {
  const TemporaryDirectory temp;
  const std::string fixture = temp / "shop";
  make_notes(*open_embedded({.directory = fixture}).value());
  const auto server = testing::serve_fork(fixture).value();
  const auto store = open_remote({.endpoint = server.url()}).value();
  store->put_item("notes", {{"id", "new"}}).value();
  EXPECT_EQ(count_of(*store), 2U);
  EXPECT_EQ(count_of(*open_embedded({.directory = fixture}).value()), 1U);
}

TEST(Testing, a_store_elsewhere_cannot_be_forked) {
  const auto server = testing::serve().value();
  const auto store = open_remote({.endpoint = server.url()}).value();
  EXPECT_THAT(store->fork("anywhere"), fails_with(Code::kUnsupported));
}

}  // namespace
}  // namespace dolmen
