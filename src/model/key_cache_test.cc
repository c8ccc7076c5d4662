#include "dolmen/model/key_cache.h"

#include <atomic>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "base/test_result.h"
#include "model/envelope.h"

namespace dolmen {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr KeyPurpose kPhone{.model = "User", .attribute = "phone"};
constexpr KeyPurpose kName{.model = "User", .attribute = "name"};

/// Deterministic keys that say how often they were asked for.
class CountedKeys final : public KeyProvider {
 public:
  Result<DataKey> generate(const KeyPurpose& purpose) override {
    ++generated;
    if (fails) return std::unexpected(Error(Code::kThrottled, "too many requests"));
    return keys->generate(purpose);
  }
  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) override {
    ++decrypted;
    if (fails) return std::unexpected(Error(Code::kThrottled, "too many requests"));
    return keys->decrypt(encrypted, purpose);
  }

  std::unique_ptr<KeyProvider> keys = deterministic_keys("cache");
  std::atomic<int> generated = 0;
  std::atomic<int> decrypted = 0;
  bool fails = false;
};

class KeyCache : public ::testing::Test {
 protected:
  KeyProvider& open(KeyCacheOptions options) {
    auto counted = std::make_unique<CountedKeys>();
    counted_ = counted.get();
    options.now = [this] { return now_; };
    cache_ = cached_keys(std::move(counted), std::move(options)).value();
    return *cache_;
  }

  TimePoint now_{std::chrono::hours(500'000)};
  CountedKeys* counted_ = nullptr;
  std::unique_ptr<KeyProvider> cache_;
};

TEST_F(KeyCache, uses_a_key_for_as_many_values_as_it_was_told) {
  KeyProvider& keys = open({.uses_max = 3});
  std::set<Bytes> stored;
  for (int i = 0; i < 9; ++i) stored.insert(keys.generate(kPhone).value().encrypted);
  EXPECT_EQ(counted_->generated, 3);
  EXPECT_EQ(stored.size(), 3U);
}

TEST_F(KeyCache, gives_every_value_its_own_key_when_one_use_is_all) {
  KeyProvider& keys = open({.uses_max = 1});
  for (int i = 0; i < 5; ++i) keys.generate(kPhone).value();
  EXPECT_EQ(counted_->generated, 5);
}

TEST_F(KeyCache, never_shares_a_key_between_attributes_or_models) {
  KeyProvider& keys = open({});
  std::set<Bytes> stored;
  for (const KeyPurpose& purpose : {kPhone, kName, KeyPurpose{.model = "Order", .attribute = "phone"},
                                    KeyPurpose{.model = "Use", .attribute = "rphone"}})
    stored.insert(keys.generate(purpose).value().encrypted);
  EXPECT_EQ(stored.size(), 4U);
}

TEST_F(KeyCache, forgets_keys_that_are_old) {
  KeyProvider& keys = open({.age_max = minutes(5)});
  const Bytes first = keys.generate(kPhone).value().encrypted;
  now_ += minutes(5) - milliseconds(1);
  EXPECT_EQ(keys.generate(kPhone).value().encrypted, first);
  keys.decrypt(first, kPhone).value();
  EXPECT_EQ(counted_->decrypted, 0);
  now_ += milliseconds(1);
  EXPECT_NE(keys.generate(kPhone).value().encrypted, first);
  keys.decrypt(first, kPhone).value();
  EXPECT_EQ(counted_->decrypted, 1);
}

TEST_F(KeyCache, does_not_keep_keys_for_ever_when_the_clock_is_set_back) {
  KeyProvider& keys = open({});
  keys.generate(kPhone).value();
  now_ -= std::chrono::hours(24);
  keys.generate(kPhone).value();
  EXPECT_EQ(counted_->generated, 2);
}

TEST_F(KeyCache, keeps_the_keys_that_were_used_last) {
  KeyProvider& keys = open({.uses_max = 1, .keys_max = 2});
  const Bytes a = keys.generate(kPhone).value().encrypted;
  const Bytes b = keys.generate(kPhone).value().encrypted;
  keys.decrypt(a, kPhone).value();
  const Bytes c = keys.generate(kPhone).value().encrypted;
  EXPECT_EQ(counted_->decrypted, 0);
  keys.decrypt(a, kPhone).value();
  keys.decrypt(c, kPhone).value();
  EXPECT_EQ(counted_->decrypted, 0);
  keys.decrypt(b, kPhone).value();
  EXPECT_EQ(counted_->decrypted, 1);
}

TEST_F(KeyCache, asks_again_for_another_purpose_because_a_key_service_may_bind_it) {
  KeyProvider& keys = open({});
  const Bytes stored = keys.generate(kPhone).value().encrypted;
  keys.decrypt(stored, kName).value();
  EXPECT_EQ(counted_->decrypted, 1);
}

TEST_F(KeyCache, keeps_no_failures) {
  KeyProvider& keys = open({});
  counted_->fails = true;
  EXPECT_THAT(keys.generate(kPhone), fails_with(Code::kThrottled));
  EXPECT_THAT(keys.decrypt(Bytes("edk"), kPhone), fails_with(Code::kThrottled));
  counted_->fails = false;
  EXPECT_THAT(keys.generate(kPhone), succeeds());
  EXPECT_THAT(keys.decrypt(Bytes("edk"), kPhone), succeeds());
}

TEST_F(KeyCache, reads_what_it_has_written) {
  KeyProvider& keys = open({.uses_max = 2});
  for (int i = 0; i < 5; ++i) {
    const AttributeValue envelope = seal("secret", kPhone, keys).value();
    EXPECT_EQ(unseal(envelope, kPhone, keys), AttributeValue("secret"));
  }
  EXPECT_EQ(counted_->decrypted, 0);
}

TEST_F(KeyCache, counts_uses_of_many_threads_together) {
  KeyProvider& keys = open({.uses_max = 10});
  std::mutex stored_mutex;
  std::map<Bytes, int> uses;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          const Bytes stored = keys.generate(kPhone).value().encrypted;
          const std::lock_guard lock(stored_mutex);
          ++uses[stored];
        }
      });
  }
  for (const auto& [stored, count] : uses) EXPECT_LE(count, 10);
}

TEST_F(KeyCache, refuses_limits_that_mean_nothing) {
  EXPECT_THAT(cached_keys(deterministic_keys("x"), {.uses_max = 0}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(cached_keys(deterministic_keys("x"), {.uses_max = kKeyUsesMax + 1}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(cached_keys(deterministic_keys("x"), {.age_max = milliseconds(0)}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(cached_keys(deterministic_keys("x"), {.keys_max = 0}), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen
