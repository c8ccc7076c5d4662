#include "cli/latency_counts.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <vector>

namespace dolmen::cli {
namespace {

RC_GTEST_PROP(LatencyCounts, are_at_most_a_sixteenth_too_high, ()) {
  const auto durations = *rc::gen::nonEmpty<std::vector<std::uint32_t>>();
  LatencyCounts counts;
  for (const std::uint32_t duration : durations) counts.add(duration);
  std::vector<std::uint32_t> sorted = durations;
  std::ranges::sort(sorted);
  for (const double part : {0.5, 0.95, 0.99, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
    const double exact = sorted[std::max<std::size_t>(rank, 1) - 1] / 1000.0;
    RC_ASSERT(counts.quantile(part) >= exact);
    RC_ASSERT(counts.quantile(part) <= exact * (1 + 1.0 / 16) + 1e-9);
  }
}

TEST(LatencyCounts, of_nothing_are_zero) { EXPECT_EQ(LatencyCounts().quantile(0.5), 0); }

TEST(LatencyCounts, add_up) {
  LatencyCounts one;
  LatencyCounts other;
  one.add(1000);
  other.add(2'000'000);
  one.add(other);
  EXPECT_EQ(one.count(), 2U);
  EXPECT_EQ(one.quantile(1), 2000);
}

}  // namespace
}  // namespace dolmen::cli
