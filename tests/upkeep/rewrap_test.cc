#include "upkeep/rewrap.h"

#include <array>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <utility>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "tests/upkeep/users.h"

namespace dolmen::upkeep {
namespace {

constexpr KeyPurpose kPhone{.model = "User", .attribute = "phone"};
constexpr KeyPurpose kMail{.model = "User", .attribute = "mail"};

class RewrapTest : public ::testing::Test {
 protected:
  RewrapTest() {
    create_key_file(file_, "first").value();
    old_ = open_key_file(file_).value();
    rotate_key_file(file_, "second").value();
    keys_ = open_key_file(file_).value();
  }

  Result<RewrapResult> rewrap(KeyProvider& from, KeyProvider& to, bool dry_run = false,
                              transfer::WalkOptions walk = {}) {
    return rewrap_table(*users_.store, users_.table,
                        {.rules = *rules_, .from = from, .to = to, .dry_run = dry_run, .walk = std::move(walk)});
  }
  RewrapReport report_of(KeyProvider& from, KeyProvider& to, bool dry_run = false) {
    return rewrap(from, to, dry_run).value().report;
  }
  AttributeValue phone(int number, KeyProvider& keys) {
    return unseal(users_.get(number).at("phone"), kPhone, keys).value();
  }

  TemporaryDirectory folder_;
  const std::filesystem::path file_ = folder_ / "keys";
  Users users_;
  std::shared_ptr<const contract::Rules> rules_ =
      contract::Rules::make(users_.definition, users_.table.definition).value();
  std::unique_ptr<KeyProvider> old_;
  std::unique_ptr<KeyProvider> keys_;
};

TEST_F(RewrapTest, encrypts_everything_anew_under_the_active_key_and_changes_nothing_else) {
  for (int i = 0; i < 100; ++i)
    users_.put(i,
               {{"phone", seal(std::to_string(i), kPhone, *old_).value()}, {"mail", seal("m", kMail, *old_).value()}});
  users_.put(100, {{"phone", seal("new", kPhone, *keys_).value()}});
  const Item current = users_.get(100);
  users_.put(101);
  const RewrapReport dry = report_of(*keys_, *keys_, true);
  EXPECT_EQ(dry.rewrapped, 200U);
  EXPECT_EQ(phone(7, *old_), AttributeValue("7"));
  const RewrapReport report = report_of(*keys_, *keys_);
  EXPECT_EQ(report, (RewrapReport{.items = 102, .rewrapped = 200, .current = 1}));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(phone(i, *keys_), AttributeValue(std::to_string(i)));
    const Item item = users_.get(i);
    EXPECT_TRUE(keys_->is_current(item.at("phone").map().at("edk").binary()));
    EXPECT_EQ(item.at("version"), AttributeValue(3));
    EXPECT_THAT(unseal(item.at("mail"), kMail, *old_), fails_with(Code::kInvalidEncryptedEnvelope));
  }
  EXPECT_EQ(users_.get(100), current);
  EXPECT_EQ(report_of(*keys_, *keys_), (RewrapReport{.items = 102, .current = 201}));
}

TEST_F(RewrapTest, moves_items_to_other_keys_and_knows_those_that_have_moved) {
  const auto other = deterministic_keys("another key service");
  for (int i = 0; i < 10; ++i) users_.put(i, {{"phone", seal("x", kPhone, i < 4 ? *other : *keys_).value()}});
  EXPECT_EQ(report_of(*keys_, *other), (RewrapReport{.items = 10, .rewrapped = 6, .current = 4}));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(phone(i, *other), AttributeValue("x"));
}

TEST_F(RewrapTest, says_what_it_could_not_do) {
  users_.put(1, {{"phone", "+33"}});
  users_.put(2, {{"phone", seal("x", kMail, *keys_).value()}});
  Item damaged = seal("x", kPhone, *old_).value().map();
  damaged.set("ct", Bytes(std::string(40, 'x')));
  users_.put(3, {{"phone", damaged}});
  rotate_key_file(file_, "third").value();
  const auto keys = open_key_file(file_).value();
  const RewrapReport report = report_of(*keys, *keys);
  EXPECT_EQ(report.plain, 1U);
  EXPECT_EQ(report.failed, 2U);
  ASSERT_EQ(report.failures.size(), 2U);
  EXPECT_EQ(report.failures.front().key, "USER#00002");
  EXPECT_EQ(users_.get(3).at("phone"), AttributeValue(damaged));
  EXPECT_EQ(RewrapReport::from_json(report.to_json()).value(), report);
}

/// A key service that cannot be reached after so many keys.
class FailingKeys final : public KeyProvider {
 public:
  FailingKeys(KeyProvider& keys, int good) : keys_(keys), good_(good) {}
  Result<DataKey> generate(const KeyPurpose& purpose) override {
    if (good_-- <= 0) return std::unexpected(Error(Code::kTimeout, "the key service does not answer"));
    return keys_.generate(purpose);
  }
  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) override {
    return keys_.decrypt(encrypted, purpose);
  }
  bool is_current(const Bytes& encrypted) const override { return keys_.is_current(encrypted); }

 private:
  KeyProvider& keys_;
  std::atomic<int> good_;
};

/// Keys during whose making somebody else changes an item.
class DisturbedKeys final : public KeyProvider {
 public:
  DisturbedKeys(KeyProvider& keys, std::function<void()> disturb) : keys_(keys), disturb_(std::move(disturb)) {}
  Result<DataKey> generate(const KeyPurpose& purpose) override {
    if (disturb_) std::exchange(disturb_, nullptr)();
    return keys_.generate(purpose);
  }
  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) override {
    return keys_.decrypt(encrypted, purpose);
  }
  bool is_current(const Bytes& encrypted) const override { return keys_.is_current(encrypted); }

 private:
  KeyProvider& keys_;
  std::function<void()> disturb_;
};

TEST_F(RewrapTest, reads_an_item_again_that_somebody_else_has_changed) {
  users_.put(1, {{"phone", seal("before", kPhone, *old_).value()}});
  DisturbedKeys keys(*keys_, [&] { users_.put(1, {{"phone", seal("after", kPhone, *old_).value()}}); });
  EXPECT_EQ(report_of(*keys_, keys), (RewrapReport{.items = 1, .rewrapped = 1}));
  EXPECT_EQ(phone(1, *keys_), AttributeValue("after"));
  EXPECT_TRUE(keys_->is_current(users_.get(1).at("phone").map().at("edk").binary()));
}

TEST_F(RewrapTest, goes_on_after_a_failure_of_the_keys) {
  for (int i = 0; i < 3'000; ++i) users_.put(i, {{"phone", seal(i, kPhone, *old_).value()}});
  std::atomic<int> seconds = 0;
  // A clock that runs so fast that nobody waits; pages are small, and each is noted.
  const auto walk = [&] {
    return transfer::WalkOptions{
        .units_per_second = 200, .resume = folder_ / "position", .purpose = "test", .now = [&seconds] {
          return TimePoint(std::chrono::seconds(++seconds));
        }};
  };
  FailingKeys failing(*keys_, 2'000);
  EXPECT_THAT(rewrap(failing, failing, false, walk()), fails_with(Code::kTimeout));
  ASSERT_TRUE(std::filesystem::exists(folder_ / "position"));
  const RewrapResult done = rewrap(*keys_, *keys_, false, walk()).value();
  EXPECT_GT(done.walk.before, 0U);
  EXPECT_EQ(done.report.items, 3'000U);
  EXPECT_EQ(done.report.rewrapped + done.report.current, 3'000U);
  for (int i = 0; i < 3'000; i += 100) EXPECT_EQ(phone(i, *keys_), AttributeValue(i));
}

TEST_F(RewrapTest, never_overwrites_what_others_write_meanwhile) {
  constexpr int kItems = 200;
  for (int i = 0; i < kItems; ++i) users_.put(i, {{"phone", seal(0, kPhone, *old_).value()}});
  std::array<int, kItems> written{};
  std::atomic<bool> ended = false;
  std::jthread writer([&] {
    for (int number = 1; !ended; ++number) {
      const int i = number % kItems;
      users_.store
          ->update_item("users", {{"pk", Users::key_of(i)}},
                        Update{}.set(attr("phone"), seal(number, kPhone, *old_).value()).add(attr("version"), 1))
          .value();
      written[static_cast<std::size_t>(i)] = number;
    }
  });
  for (int round = 0; round < 5; ++round) EXPECT_EQ(report_of(*keys_, *keys_).failed, 0U);
  ended = true;
  writer.join();
  EXPECT_EQ(report_of(*keys_, *keys_).failed, 0U);
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(phone(i, *keys_), AttributeValue(written[static_cast<std::size_t>(i)]));
}

}  // namespace
}  // namespace dolmen::upkeep
