#include "server/fault_switches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen {
namespace {

using testing::HasSubstr;

TEST(FaultSwitches, describe_and_change_what_goes_wrong) {
  FaultSwitches switches(std::make_shared<FaultLab>());
  EXPECT_THAT(switches.execute("DescribeFaults", "{}").value(), testing::Not(HasSubstr("plan")));
  const std::string plan = R"({"rules":[{"fault":"throttle"}]})";
  EXPECT_THAT(switches.execute("UpdateFaults", R"({"plan":)" + plan + "}").value(), HasSubstr(R"("plan":)" + plan));
  EXPECT_THAT(switches.execute("DescribeFaults", "{}").value(), HasSubstr(R"("plan":)" + plan));
}

TEST(FaultSwitches, refuse_what_cannot_be_understood) {
  FaultSwitches switches(std::make_shared<FaultLab>());
  for (const char* body : {"", "[]", R"({"plan":{}})"})
    EXPECT_FALSE(switches.execute("DescribeFaults", body).has_value()) << body;
  for (const char* body : {"", "[]", "{}", R"({"plan":{"rules":[{"fault":"none"}]}})"})
    EXPECT_FALSE(switches.execute("UpdateFaults", body).has_value()) << body;
}

TEST(FaultSwitches, are_refused_where_nothing_may_go_wrong_on_purpose) {
  FaultSwitches switches(nullptr);
  for (const char* operation : {"DescribeFaults", "UpdateFaults"})
    EXPECT_THAT(switches.execute(operation, "{}"), fails_with(Code::kAccessDenied)) << operation;
}

}  // namespace
}  // namespace dolmen
