#include "faults/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::faults {
namespace {

using testing::HasSubstr;

TEST(FaultLine, has_faults_with_probabilities_and_settings) {
  const Plan plan = parse_plan("seed=42, number=17 ,throttle=0.25&latency, latency-ms=20, lag-writes=3").value();
  EXPECT_EQ(plan.seed, 42U);
  EXPECT_EQ(plan.number, 17U);
  ASSERT_EQ(plan.rules.size(), 2U);
  EXPECT_EQ(plan.rules[0].fault, Fault::kThrottle);
  EXPECT_EQ(plan.rules[0].probability, 0.25);
  EXPECT_EQ(plan.rules[1].fault, Fault::kLatency);
  EXPECT_EQ(plan.rules[1].probability, 1);
  EXPECT_EQ(plan.rules[1].latency, std::chrono::milliseconds(20));
  EXPECT_EQ(plan.rules[1].writes, 3U);
}

TEST(FaultLine, none_has_no_rules) { EXPECT_TRUE(parse_plan("none").value().rules.empty()); }

TEST(FaultLine, names_what_is_wrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"throtle", "\"throtle\" is not a fault; known are throttle"},
      {",throttle", "\"\" is not a fault"},
      {"throttle=often", "throttle: \"often\" is not a probability from 0 to 1"},
      {"throttle=1.5", "throttle: 1.5 is not a probability from 0 to 1"},
      {"throttle=-0.1", "throttle: -0.1 is not a probability"},
      {"throttle=", "throttle: \"\" is not a probability"},
      {"seed=", "seed: \"\" is not a whole number"},
      {"seed=-1", "seed: \"-1\" is not a whole number"},
      {"number=18446744073709551616", "is not a whole number"},
      {"latency, latency-ms=700000", "latency: a latency of 700000 ms is not one from 0 to 600000"},
      {"index-lag, lag-writes=65", "index-lag: a lag of 65 writes is not one from 1 to 64"},
      {"index-lag, lag-writes=0", "a lag of 0 writes"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(parse_plan(text), fails_with(Code::kInvalidArgument, HasSubstr(std::string(message)))) << text;
  }
}

TEST(RuleFile, has_a_seed_and_rules) {
  const Plan plan = parse_rule_file(R"(
seed: 7
rules:
  - fault: throttle
    probability: 0.1
    operations: [PutItem, Query]
    tables: ["orders-*"]
    skip: 2
    times: 3
  - fault: latency
    milliseconds: 20
  - fault: index-lag
    writes: 5
)",
                                    "faults.yml")
                        .value();
  EXPECT_EQ(plan.seed, 7U);
  ASSERT_EQ(plan.rules.size(), 3U);
  EXPECT_EQ(plan.rules[0].operations, (std::vector<std::string>{"PutItem", "Query"}));
  EXPECT_EQ(plan.rules[0].tables, std::vector<std::string>{"orders-*"});
  EXPECT_EQ(plan.rules[0].skip, 2U);
  EXPECT_EQ(plan.rules[0].times, 3U);
  EXPECT_EQ(plan.rules[1].latency, std::chrono::milliseconds(20));
  EXPECT_EQ(plan.rules[2].writes, 5U);
}

TEST(RuleFile, names_the_place_of_everything_that_is_wrong) {
  const Result<Plan> plan = parse_rule_file(R"(seed: -1
rules:
  - fault: throtle
    probability: 2
  - fault: throttle
    operation: PutItem
  - fault: throttle
    operations: [PutItems]
  - fault: throttle
    milliseconds: 5
  - throttle
other: 1
)",
                                            "faults.yml");
  ASSERT_THAT(plan, fails_with(Code::kInvalidArgument));
  std::string all;
  for (const ErrorDetail& detail : plan.error().details()) all += detail.message + "\n";
  EXPECT_THAT(all, HasSubstr("faults.yml:1:7"));
  EXPECT_THAT(all, HasSubstr("faults.yml:3:12"));
  EXPECT_THAT(all, HasSubstr("must be throttle, internal-error"));
  EXPECT_THAT(all, HasSubstr("2 is not a probability"));
  EXPECT_THAT(all, HasSubstr("try \"operations\""));
  EXPECT_THAT(all, HasSubstr("\"PutItems\" is not an operation"));
  EXPECT_THAT(all, HasSubstr("has a meaning only for latency"));
  EXPECT_THAT(all, HasSubstr("must be a rule with the entry"));
  EXPECT_THAT(all, HasSubstr("faults.yml:12:1"));
}

TEST(RuleFile, must_have_rules) {
  EXPECT_THAT(parse_rule_file("seed: 1\n", "f.yml"), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(parse_rule_file("[]", "f.json"), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen::faults
