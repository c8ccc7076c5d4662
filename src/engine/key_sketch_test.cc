#include "engine/key_sketch.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace dolmen::engine {
namespace {

TEST(KeySketch, counts_exactly_while_there_is_room) {
  KeySketch sketch(3);
  for (const char* key : {"a", "b", "a", "c", "a", "b"}) sketch.count(key);
  const auto top = sketch.top(2);
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(top[0].key, "a");
  EXPECT_EQ(top[0].count, 3U);
  EXPECT_EQ(top[0].error_max, 0U);
  EXPECT_EQ(top[1].key, "b");
  EXPECT_EQ(sketch.total(), 6U);
}

TEST(KeySketch, never_counts_too_low_and_keeps_every_frequent_key) {
  constexpr std::size_t kKeys = 32;
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    KeySketch sketch(kKeys);
    std::map<std::string, std::uint64_t> exact;
    for (int i = 0; i < 20'000; ++i) {
      // A few keys occur often, thousands now and then.
      const std::uint64_t draw = random() % 2 == 0 ? random() % 8 : random() % 5000;
      const std::string key = std::to_string(draw);
      ++exact[key];
      sketch.count(key);
    }
    std::map<std::string, KeySketch::Counted> counted;
    for (const KeySketch::Counted& one : sketch.top(kKeys)) counted.emplace(one.key, one);
    EXPECT_LE(counted.size(), kKeys);
    for (const auto& [key, one] : counted) {
      EXPECT_GE(one.count, exact[key]);
      EXPECT_LE(one.count - one.error_max, exact[key]);
    }
    for (const auto& [key, count] : exact) {
      const bool is_frequent = count > sketch.total() / kKeys;
      EXPECT_TRUE(!is_frequent || counted.contains(key)) << key;
    }
  }
}

}  // namespace
}  // namespace dolmen::engine
