#include "entity/plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <span>

#include "base/fail.h"
#include "entity/hash_key_space.h"
#include "entity/string_hash.h"

namespace dolmen::entity {

namespace {

constexpr double kWritesPerKeyMax = 1000;
constexpr std::uint64_t kBytesPerKeyMax = std::uint64_t{10} << 30U;
/// Items whose shards are drawn one by one.
constexpr std::uint64_t kCoinsMax = 4096;
constexpr std::int64_t kMonthMs = 30LL * 24 * 60 * 60 * 1000;

/// The average distance between bumps after time 0; a month or less when there are fewer than two.
std::int64_t distance(const std::vector<ShardBump>& bumps) {
  const std::int64_t last = bumps.back().timestamp;
  const auto first = std::ranges::find_if(bumps, [](const ShardBump& bump) { return bump.timestamp > 0; });
  if (first == bumps.end()) return kMonthMs;
  const auto gaps = bumps.end() - first - 1;
  return gaps == 0 ? std::min(kMonthMs, first->timestamp) : (last - first->timestamp) / gaps;
}

struct Span {
  std::int64_t from;
  std::int64_t until;
};

Result<Span> span_of(const std::vector<ShardBump>& bumps, const PlanRequest& request) {
  const auto first = std::ranges::find_if(bumps, [](const ShardBump& bump) { return bump.timestamp > 0; });
  const std::int64_t gap = distance(bumps);
  const std::int64_t begin = first == bumps.end() ? 0 : std::max<std::int64_t>(0, first->timestamp - gap);
  const Span span{.from = request.from.value_or(begin), .until = request.until.value_or(bumps.back().timestamp + gap)};
  if (span.from < 0) return fail(Code::kInvalidArgument, "a plan must begin at 0 or later, not at {}", span.from);
  if (span.until <= span.from)
    return fail(Code::kInvalidArgument, "the plan ends at {}, which is not after its beginning at {}", span.until,
                span.from);
  return span;
}

/// Ids like those that programs make: 21 characters of 64.
class Ids {
 public:
  explicit Ids(std::uint64_t seed) : random_(seed) {}

  std::string_view next() {
    static constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < id_.size(); ++i, bits >>= 6U) {
      if (i % 10 == 0) bits = random_();
      id_[i] = kCharacters[bits & 63U];
    }
    return {id_.data(), id_.size()};
  }

  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_;
  std::array<char, 21> id_{};
};

/// How many of `items` fall among `chosen` of `shards` shards.
std::uint64_t draw(std::uint64_t items, std::size_t chosen, std::size_t shards, std::mt19937_64& random) {
  const bool is_half = chosen * 2 == shards;
  if (is_half && items <= kCoinsMax) {
    std::uint64_t drawn = 0;
    for (std::uint64_t left = items; left > 0;) {
      const std::uint64_t coins = std::min<std::uint64_t>(left, 64);
      drawn += static_cast<std::uint64_t>(std::popcount(random() >> (64 - coins)));
      left -= coins;
    }
    return drawn;
  }
  const auto count = static_cast<double>(items);
  const double part = static_cast<double>(chosen) / static_cast<double>(shards);
  if (!is_half)
    return static_cast<std::uint64_t>(
        std::binomial_distribution<std::int64_t>(static_cast<std::int64_t>(items), part)(random));
  // With this many coins the binomial distribution is indistinguishable from the normal one.
  const double near = std::normal_distribution<double>(count / 2, std::sqrt(count) / 2)(random);
  return static_cast<std::uint64_t>(std::clamp(std::round(near), 0.0, count));
}

/// Adds items to shards as a uniform hash does: splits them between the halves of the shards, recursively.
void spread(std::span<std::uint64_t> counts, std::uint64_t items, std::mt19937_64& random) {
  if (items == 0) return;
  if (counts.size() == 1) {
    counts.front() += items;
    return;
  }
  const std::size_t half = counts.size() / 2;
  const std::uint64_t first = draw(items, half, counts.size(), random);
  spread(counts.first(half), first, random);
  spread(counts.subspan(half), items - first, random);
}

/// Items in each shard after `items` of them have come.
std::vector<std::uint64_t> fill(std::uint64_t shards, std::uint64_t items, const PlanRequest& request, Ids& ids) {
  std::vector<std::uint64_t> counts(shards, 0);
  const std::uint64_t hashed = std::min(items, request.hashed_max);
  for (std::uint64_t i = 0; i < hashed; ++i) ++counts[string_hash(ids.next()) % shards];
  spread(counts, items - hashed, ids.random());
  return counts;
}

/// `counts` are of the keys that are used, which are all shards unless the modulus is the legacy one.
void measure(std::vector<std::uint64_t> counts, const PlanRequest& request, PlanPeriod& period) {
  // The part of all writes that the busiest key gets.
  const double share = period.items == 0
                           ? 1 / static_cast<double>(counts.size())
                           : static_cast<double>(std::ranges::max(counts)) / static_cast<double>(period.items);
  period.writes_per_second_max = request.writes_per_second * share;
  period.hot = period.writes_per_second_max > kWritesPerKeyMax;
  counts.resize(period.shards, 0);
  std::ranges::sort(counts);
  period.expected = static_cast<double>(period.items) / static_cast<double>(counts.size());
  period.fewest = counts.front();
  period.most = counts.back();
  period.skew = period.items == 0 ? 0 : static_cast<double>(period.most) / period.expected;
  for (std::size_t i = 0; i <= 10; ++i) period.deciles.push_back(counts[(counts.size() - 1) * i / 10]);
  period.largest_bytes = period.most * request.item_bytes;
  period.large = period.largest_bytes > kBytesPerKeyMax;
}

}  // namespace

Result<Plan> make_plan(const EntityConfig& config, const PlanRequest& request) {
  const EntityDefinition* entity = config.find_entity(request.entity);
  if (entity == nullptr) return fail(Code::kInvalidArgument, "the config has no entity \"{}\"", request.entity);
  if (request.items > kPlanItemsMax)
    return fail(Code::kLimitExceeded, "a plan has at most {} items, not {}", kPlanItemsMax, request.items);
  if (!std::isfinite(request.writes_per_second) || request.writes_per_second < 0)
    return fail(Code::kInvalidArgument, "writes per second must be a number of at least 0, not {}",
                request.writes_per_second);
  const std::vector<ShardBump>& bumps = entity->shard_bumps;
  DOLMEN_TRY(const Span span, span_of(bumps, request));
  Plan plan{.entity = entity->name, .items = request.items, .from = span.from, .until = span.until, .periods = {}};
  Ids ids(request.seed);
  std::uint64_t query_shards = 0;
  std::uint64_t placed = 0;
  for (std::size_t i = 0; i < bumps.size(); ++i) {
    const std::int64_t end = i + 1 < bumps.size() ? bumps[i + 1].timestamp : std::max(span.until, bumps[i].timestamp);
    PlanPeriod period{.bump = bumps[i], .until = end};
    period.shards = shard_count({bumps[i]});
    if (period.shards > kPlanShardsMax)
      return fail(Code::kLimitExceeded, "the bump at {} has more than {} shards", bumps[i].timestamp, kPlanShardsMax);
    query_shards += period.shards;
    // Counted from the beginning, so that no item gets lost between two periods.
    const double passed = static_cast<double>(std::max<std::int64_t>(0, std::min(end, span.until) - span.from)) /
                          static_cast<double>(span.until - span.from);
    const auto made =
        std::min(request.items, static_cast<std::uint64_t>(std::llround(passed * static_cast<double>(request.items))));
    period.items = made - placed;
    placed = made;
    period.hashed = std::min(period.items, request.hashed_max);
    period.query_shards = query_shards;
    period.query_units = static_cast<double>(query_shards) * 0.5;
    const std::uint64_t used = request.legacy_modulus && bumps[i].chars > 0
                                   ? static_cast<std::uint64_t>(bumps[i].chars)
                                         << static_cast<unsigned>(bumps[i].char_bits)
                                   : period.shards;
    measure(fill(used, period.items, request, ids), request, period);
    plan.periods.push_back(std::move(period));
  }
  return plan;
}

}  // namespace dolmen::entity
