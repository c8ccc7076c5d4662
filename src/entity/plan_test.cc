#include "entity/plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <ranges>

#include "base/test_result.h"

namespace dolmen::entity {
namespace {

EntityConfig config_with(const ShardBump& bump) {
  return {.hash_key = "pk",
          .range_key = "sk",
          .entities = {{.name = "user", .timestamp_property = "t", .unique_property = "t", .shard_bumps = {bump}}}};
}

PlanPeriod only_period(const ShardBump& bump, PlanRequest request) {
  request.entity = "user";
  return make_plan(config_with(bump), request).value().periods.at(0);
}

TEST(EntityPlan, draws_shards_as_uneven_as_hashes_make_them) {
  const ShardBump bump{.timestamp = 0, .char_bits = 4, .chars = 5};
  const PlanPeriod hashed = only_period(bump, {.items = 1'000'000});
  const PlanPeriod drawn = only_period(bump, {.items = 1'000'000, .hashed_max = 0});
  EXPECT_EQ(hashed.hashed, 1'000'000U);
  EXPECT_EQ(drawn.hashed, 0U);
  EXPECT_EQ(drawn.fewest, 0U);
  EXPECT_TRUE(std::ranges::equal(drawn.deciles | std::views::take(10), hashed.deciles | std::views::take(10)));
  EXPECT_NEAR(static_cast<double>(drawn.most), static_cast<double>(hashed.most), 1.5);
}

TEST(EntityPlan, draws_every_item_for_any_number_of_shards) {
  // 3 * 2^4 keys, which do not fall into halves to the end.
  const ShardBump bump{.timestamp = 0, .char_bits = 4, .chars = 3};
  const PlanPeriod period = only_period(bump, {.items = 48'000'000'000, .hashed_max = 0, .legacy_modulus = true});
  EXPECT_EQ(period.shards, 4096U);
  EXPECT_NEAR(static_cast<double>(period.most), 1e9, 1e6);
  EXPECT_EQ(std::ranges::count_if(period.deciles, [](std::uint64_t items) { return items > 0; }), 1);
}

TEST(EntityPlan, respects_the_legacy_modulus_without_items) {
  const ShardBump bump{.timestamp = 0, .char_bits = 4, .chars = 2};
  const PlanPeriod period = only_period(bump, {.items = 0, .writes_per_second = 64'000, .legacy_modulus = true});
  EXPECT_EQ(period.writes_per_second_max, 2000);
  EXPECT_TRUE(period.hot);
  EXPECT_EQ(only_period(bump, {.items = 0, .writes_per_second = 64'000}).writes_per_second_max, 250);
}

TEST(EntityPlan, refuses_writes_that_are_no_number_from_zero_on) {
  for (const double rate : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto plan = make_plan(config_with({}), {.entity = "user", .writes_per_second = rate});
    ASSERT_FALSE(plan.has_value());
    EXPECT_THAT(plan, fails_with(Code::kInvalidArgument));
  }
}

}  // namespace
}  // namespace dolmen::entity
