#include "service/throughput_rules.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen {
namespace {

TEST(ThroughputRules, what_is_billed_by_requests_is_ready_for_more_than_it_was_asked_for) {
  EXPECT_EQ(usual_warm(BillingMode::kPayPerRequest, {.read_units = 5, .write_units = 6}),
            (WarmThroughput{.read_units = 12'000, .write_units = 4'000}));
  EXPECT_EQ(usual_warm(BillingMode::kProvisioned, {.read_units = 5, .write_units = 6}),
            (WarmThroughput{.read_units = 5, .write_units = 6}));
}

TEST(ThroughputRules, limits_of_requests_are_at_least_1_and_an_update_may_remove_them) {
  EXPECT_THAT(check_on_demand_range({.max_read_units = 1, .max_write_units = 1}, "", false), succeeds());
  EXPECT_THAT(check_on_demand_range({.max_read_units = 0}, "", true), fails_with(Code::kValidation));
  EXPECT_THAT(check_on_demand_range({.max_write_units = -1}, "", true), succeeds());
  EXPECT_THAT(check_on_demand_range({.max_write_units = -1}, "by-g", false),
              fails_with(Code::kValidation,
                         "One or more parameter values were invalid: Requested MaxWriteRequestUnits for "
                         "OnDemandThroughput for index : by-g is outside of valid range"));
}

}  // namespace
}  // namespace dolmen
