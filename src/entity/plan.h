#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/entity/config.h"

/// What a schedule of shard bumps comes to: simulated, so that it is known before the table is full.
namespace dolmen::entity {

/// The maximum number of items of a plan.
inline constexpr std::uint64_t kPlanItemsMax = 1'000'000'000'000;
/// The maximum number of shards of one bump in a plan.
inline constexpr std::uint64_t kPlanShardsMax = std::uint64_t{1} << 24U;

struct PlanRequest {
  std::string entity;
  /// Items are created at a steady pace from `from` until `until`.
  std::uint64_t items = 1'000'000;
  /// By default from one distance between bumps before the first bump until one after the last.
  std::optional<std::int64_t> from = std::nullopt;
  std::optional<std::int64_t> until = std::nullopt;
  std::uint64_t item_bytes = 1024;
  double writes_per_second = 0;
  /// This many ids are hashed; further items are drawn from the distribution of a uniform hash.
  std::uint64_t hashed_max = 10'000'000;
  std::uint64_t seed = 1;
  bool legacy_modulus = false;
};

/// The figures for the time under one bump.
struct PlanPeriod {
  ShardBump bump;
  std::int64_t until = 0;
  std::uint64_t shards = 0;
  std::uint64_t items = 0;
  std::uint64_t hashed = 0;
  double expected = 0;
  std::uint64_t fewest = 0;
  std::uint64_t most = 0;
  /// The ratio of the largest shard to the expected size; 0 without items.
  double skew = 0;
  /// The items of shards at 0, 10, …, 100 percent between the emptiest and the fullest.
  std::vector<std::uint64_t> deciles;
  std::uint64_t largest_bytes = 0;
  double writes_per_second_max = 0;
  /// Shards that a query of everything so far asks.
  std::uint64_t query_shards = 0;
  /// Capacity units that it takes at least when nothing is found: half a unit for each.
  double query_units = 0;
  /// Loads that DynamoDB does not handle well: more than 1,000 writes a second to one key, more than 10 GB under one.
  bool hot = false;
  bool large = false;
};

struct Plan {
  std::string entity;
  std::uint64_t items = 0;
  std::int64_t from = 0;
  std::int64_t until = 0;
  std::vector<PlanPeriod> periods;
};

/// `config` must have been checked. Fails with kInvalidArgument for an unknown entity, a time that ends before it
/// begins or writes that are not a number of at least 0, with kLimitExceeded for too many items or shards.
Result<Plan> make_plan(const EntityConfig& config, const PlanRequest& request);

/// A picture of a plan: how many items the shards of each bump have, and how many shards a query asks.
std::string plan_svg(const Plan& plan);

}  // namespace dolmen::entity
