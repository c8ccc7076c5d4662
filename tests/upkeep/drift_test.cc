#include "upkeep/drift.h"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "tests/upkeep/users.h"
#include "transfer/copy.h"

namespace dolmen::upkeep {
namespace {

constexpr std::int64_t kMilliseconds = 1'767'607'200'000;

class DriftScanTest : public ::testing::Test {
 protected:
  DriftRules rules(KeyProvider* keys = nullptr) {
    return DriftRules::make(users_.definition, users_.table.definition, {.keys = keys}).value();
  }
  DriftReport scan(Fix fix = Fix::kNo, KeyProvider* keys = nullptr) {
    const DriftRules used = rules(keys);
    return scan_for_drift(*users_.store, users_.table, {.rules = used, .keys = keys, .fix = fix}).value().report;
  }

  Users users_{true};
};

TEST_F(DriftScanTest, counts_every_item_once_over_all_segments) {
  for (int i = 0; i < 1'000; ++i)
    users_.put(i, i % 10 == 0 ? std::vector<Item::Attribute>{{"age", "x"}} : std::vector<Item::Attribute>{});
  const DriftReport report = scan();
  EXPECT_EQ(report.items(), 1'000U);
  EXPECT_EQ(report.broken(), 100U);
  EXPECT_EQ(report.sorted().front()->second.samples.front().key, "USER#00000");
}

TEST_F(DriftScanTest, mends_what_can_be_mended_and_nothing_else) {
  users_.put(1, {{"ttl", kMilliseconds}, {"age", "42"}});
  users_.put(2, {{"ttl", kMilliseconds}, {"colour", "red"}});
  const Item fine = users_.put(3, {{"age", 7}});
  const DriftReport dry = scan(Fix::kDryRun);
  EXPECT_EQ(dry.mendable(), 2U);
  EXPECT_EQ(users_.get(1).at("age"), AttributeValue("42"));
  const DriftReport done = scan(Fix::kYes);
  EXPECT_EQ(done.broken(), 2U);
  EXPECT_EQ(done.left(), 1U);
  EXPECT_EQ(users_.get(1),
            (Item{{"pk", "USER#00001"}, {"name", "Ada"}, {"version", 3}, {"age", 42}, {"ttl", 1'767'607'200}}));
  EXPECT_EQ(users_.get(2).at("colour"), AttributeValue("red"));
  EXPECT_EQ(users_.get(2).at("ttl"), AttributeValue(1'767'607'200));
  EXPECT_EQ(users_.get(3), fine);
  const DriftReport after = scan();
  EXPECT_EQ(after.broken(), 1U);
  EXPECT_EQ(after.mendable(), 0U);
}

TEST_F(DriftScanTest, encrypts_plain_text_when_it_has_keys) {
  const auto keys = deterministic_keys("drift");
  users_.put(1, {{"phone", "+33"}});
  EXPECT_EQ(scan(Fix::kYes).left(), 1U);
  EXPECT_EQ(scan(Fix::kYes, keys.get()).left(), 0U);
  EXPECT_EQ(unseal(users_.get(1).at("phone"), {.model = "User", .attribute = "phone"}, *keys), AttributeValue("+33"));
  EXPECT_EQ(scan(Fix::kNo, keys.get()).broken(), 0U);
}

TEST_F(DriftScanTest, never_overwrites_what_others_write_meanwhile) {
  constexpr int kItems = 300;
  for (int i = 0; i < kItems; ++i) users_.put(i, {{"age", "1"}});
  std::atomic<bool> ended = false;
  std::atomic<int> begun = 0;
  std::jthread writer([&] {
    for (int number = 0; !ended || number % kItems != 0; ++number) {
      const int i = number % kItems;
      // Somebody counts the age as a number, and starts anew where it is none.
      const Item key{{"pk", Users::key_of(i)}};
      const auto counted = users_.store->update_item("users", key, Update{}.increment(attr("age"), 1),
                                                     {.condition = attr("age").is(Type::kNumber)});
      if (!counted) {
        const auto begun_anew = users_.store->update_item("users", key, Update{}.set(attr("age"), 1'000),
                                                          {.condition = attr("age").is(Type::kString)});
        EXPECT_TRUE(begun_anew || begun_anew.error().code() == Code::kConditionFailed);
      }
      begun = number;
    }
  });
  while (begun < 10) std::this_thread::yield();
  EXPECT_EQ(scan(Fix::kYes).left(), 0U);
  ended = true;
  writer.join();
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(users_.get(i).at("age").type(), Type::kNumber);
}

TEST_F(DriftScanTest, leaves_items_alone_that_are_gone_when_it_comes) {
  /// Removes the item between the read and the mending.
  users_.put(1, {{"age", "42"}});
  const DriftRules used = rules();
  const auto visit = [&] { users_.store->delete_item("users", {{"pk", Users::key_of(1)}}).value(); };
  bool first = true;
  DriftScan scan{.rules = used, .fix = Fix::kYes};
  scan.walk.segments = 1;
  scan.walk.stopped = [&] {
    if (!first) visit();
    first = false;
    return false;
  };
  EXPECT_THAT(scan_for_drift(*users_.store, users_.table, scan), succeeds());
}

TEST_F(DriftScanTest, sees_changes_of_the_stream) {
  const DriftRules used = rules();
  StreamRange changes = transfer::open_changes({*users_.store, "users"}).value();
  users_.put(1);
  users_.put(2, {{"age", "42"}});
  users_.store->delete_item("users", {{"pk", Users::key_of(1)}}).value();
  std::vector<std::string> seen;
  const DriftReport report =
      watch_for_drift(*users_.store, users_.table, changes, {.rules = used, .fix = Fix::kYes},
                      {.idle = std::chrono::milliseconds(1),
                       .seen = [&](const std::string& key, const DriftRules::Verdict&,
                                   bool mended) { seen.push_back(key + (mended ? " mended" : "")); }})
          .value();
  EXPECT_EQ(seen, std::vector<std::string>{"USER#00002 mended"});
  // The mending is a change too, and leaves nothing to complain about.
  EXPECT_EQ(report.items(), 3U);
  EXPECT_EQ(report.broken(), 1U);
  EXPECT_EQ(users_.get(2).at("age"), AttributeValue(42));
}

TEST_F(DriftScanTest, watches_until_it_is_stopped_when_no_idle_time_ends_it) {
  const DriftRules used = rules();
  StreamRange changes = transfer::open_changes({*users_.store, "users"}).value();
  int asked = 0;
  EXPECT_THAT(
      watch_for_drift(*users_.store, users_.table, changes, {.rules = used}, {.stopped = [&] { return ++asked == 4; }}),
      succeeds());
  EXPECT_EQ(asked, 4);
}

/// Stops after so many pages, as a process that is killed does, but without a last note of where it is.
class WalkTest : public DriftScanTest {
 protected:
  Result<DriftResult> walk(int pages, const std::string& purpose = "") {
    const DriftRules used = rules();
    DriftScan scan{.rules = used};
    std::atomic<int> seen = 0;
    scan.walk = {.segments = 3, .units_per_second = 1'000'000, .resume = file_, .purpose = purpose, .stopped = [&] {
                   return pages >= 0 && seen++ >= pages;
                 }};
    return scan_for_drift(*users_.store, users_.table, scan);
  }

  TemporaryDirectory folder_;
  const std::string file_ = folder_ / "position";
};

TEST_F(WalkTest, goes_on_where_it_stopped_and_counts_the_same) {
  for (int i = 0; i < 20'000; ++i)
    users_.put(i, i % 7 == 0 ? std::vector<Item::Attribute>{{"age", "x"}} : std::vector<Item::Attribute>{});
  const DriftReport whole = scan();
  const DriftResult first = walk(5).value();
  EXPECT_FALSE(first.walk.complete);
  EXPECT_LT(first.report.items(), 20'000U);
  EXPECT_TRUE(std::filesystem::exists(file_));
  const DriftResult second = walk(9).value();
  EXPECT_EQ(second.walk.before, first.report.items());
  const DriftResult last = walk(-1).value();
  EXPECT_TRUE(last.walk.complete);
  EXPECT_EQ(last.walk.before, second.report.items());
  EXPECT_EQ(last.report, whole);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(WalkTest, refuses_the_file_of_another_walk) {
  for (int i = 0; i < 5'000; ++i) users_.put(i);
  ASSERT_FALSE(walk(1, "one").value().walk.complete);
  const auto other = walk(-1, "another");
  EXPECT_THAT(other, fails_with(Code::kIo));
  EXPECT_NE(other.error().message().find("remove it to begin again"), std::string::npos);
  std::ofstream(file_) << "not a position";
  EXPECT_THAT(walk(-1, "one"), fails_with(Code::kIo));
}

}  // namespace
}  // namespace dolmen::upkeep
