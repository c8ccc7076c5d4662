#include "base/test_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"

namespace dolmen {
namespace {

using ::testing::_;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pointee;
using ::testing::PrintToString;
using ::testing::SizeIs;

template <class T, class M>
bool matches(const M& matcher, const Result<T>& result) {
  return testing::Value(result, matcher);
}

template <class T, class M>
std::string explanation(const M& matcher, const Result<T>& result) {
  testing::StringMatchResultListener listener;
  testing::ExplainMatchResult(matcher, result, &listener);
  return listener.str();
}

template <class T, class M>
std::string description(const M& matcher) {
  return testing::DescribeMatcher<const Result<T>&>(matcher);
}

const Result<int> kSeven = 7;
const Result<void> kDone;
const Result<int> kOdd = fail(Code::kValidation, "7 is odd");
const Result<void> kHeld = fail(Code::kLeaseHeld, "somebody has it");

struct Opaque {
  int number = 0;
};

TEST(PrintedResult, is_the_value_or_the_error) {
  EXPECT_EQ(PrintToString(kSeven), "7");
  EXPECT_EQ(PrintToString(kDone), "success");
  EXPECT_EQ(PrintToString(kOdd), "Validation: 7 is odd");
  EXPECT_EQ(PrintToString(Result<std::string>("a")), "\"a\"");
  EXPECT_EQ(PrintToString(Result<std::vector<int>>(std::vector{1, 2})), "{ 1, 2 }");
  EXPECT_EQ(PrintToString(Result<std::optional<int>>(7)), "(7)");
  EXPECT_EQ(PrintToString(Result<std::map<int, bool>>(std::map<int, bool>{{1, true}})), "{ (1, true) }");
}

TEST(PrintedResult, does_not_show_the_bytes_of_what_cannot_be_printed) {
  EXPECT_EQ(PrintToString(Result<Opaque>(Opaque{})), "a value that cannot be printed");
  EXPECT_EQ(PrintToString(Result<std::vector<Opaque>>(std::vector<Opaque>(2))), "a value that cannot be printed");
  EXPECT_EQ(PrintToString(Result<std::unique_ptr<Opaque>>(nullptr)), "a value that cannot be printed");
  EXPECT_EQ(PrintToString(Result<std::optional<Opaque>>(Opaque{})), "a value that cannot be printed");
  EXPECT_EQ(PrintToString(Result<std::map<int, Opaque>>({})), "a value that cannot be printed");
}

TEST(PrintedError, has_a_line_for_each_detail) {
  const Error error(Code::kInvalidModel, "two rules are broken",
                    {{"a[1]", "type", "is not a text"}, {"b", "size", "is long"}});
  EXPECT_EQ(PrintToString(error),
            "InvalidModel: two rules are broken\n  a[1] (type): is not a text\n  b (size): is long");
}

TEST(FailedAssertion, says_what_was_expected_of_a_result_and_what_it_holds) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(kSeven, fails_with(Code::kValidation)), "Expected: fails with Validation");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(kSeven, fails_with(Code::kValidation)), "which holds 7");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(kOdd, succeeds()), "Actual: Validation: 7 is odd");
  EXPECT_NONFATAL_FAILURE(EXPECT_EQ(kOdd, kSeven), "Validation: 7 is odd");
}

TEST(FailsWith, matches_failures_with_its_code_alone) {
  EXPECT_TRUE(matches(fails_with(Code::kValidation), kOdd));
  EXPECT_TRUE(matches(fails_with(Code::kLeaseHeld), kHeld));
  EXPECT_FALSE(matches(fails_with(Code::kValidation), kHeld));
  EXPECT_FALSE(matches(fails_with(Code::kValidation), kSeven));
  EXPECT_FALSE(matches(fails_with(Code::kValidation), kDone));
}

TEST(FailsWith, compares_the_whole_message_with_a_text) {
  EXPECT_TRUE(matches(fails_with(Code::kValidation, "7 is odd"), kOdd));
  EXPECT_TRUE(matches(fails_with(Code::kValidation, std::string("7 is odd")), kOdd));
  EXPECT_TRUE(matches(fails_with(Code::kValidation, std::string_view("7 is odd")), kOdd));
  EXPECT_FALSE(matches(fails_with(Code::kValidation, "7"), kOdd));
  EXPECT_FALSE(matches(fails_with(Code::kLeaseHeld, "7 is odd"), kOdd));
  EXPECT_FALSE(matches(fails_with(Code::kValidation, "7 is odd"), kSeven));
}

TEST(FailsWith, shows_the_message_to_a_matcher) {
  EXPECT_TRUE(matches(fails_with(Code::kValidation, HasSubstr("odd")), kOdd));
  EXPECT_TRUE(matches(fails_with(Code::kValidation, _), kOdd));
  EXPECT_FALSE(matches(fails_with(Code::kValidation, HasSubstr("even")), kOdd));
  EXPECT_FALSE(matches(fails_with(Code::kLeaseHeld, _), kOdd));
  EXPECT_FALSE(matches(fails_with(Code::kValidation, _), kSeven));
}

TEST(FailsWith, says_what_it_expects_and_what_there_is) {
  EXPECT_EQ(description<int>(fails_with(Code::kValidation)), "fails with Validation");
  EXPECT_EQ(description<int>(fails_with(Code::kValidation, HasSubstr("odd"))),
            "fails with Validation and a message that has substring \"odd\"");
  EXPECT_EQ(description<int>(Not(fails_with(Code::kValidation))), "does not fail with Validation");
  EXPECT_EQ(description<int>(Not(fails_with(Code::kValidation, "odd"))),
            "does not fail with Validation, or has a message that isn't equal to \"odd\"");
  EXPECT_EQ(explanation(fails_with(Code::kLeaseHeld), kOdd), "which failed with Validation: 7 is odd");
  EXPECT_EQ(explanation(fails_with(Code::kLeaseHeld), kSeven), "which holds 7");
  EXPECT_EQ(explanation(fails_with(Code::kLeaseHeld), kDone), "which succeeded");
  EXPECT_EQ(explanation(fails_with(Code::kValidation, SizeIs(7)), kOdd),
            "which failed with Validation: 7 is odd, with a message whose size 8 doesn't match");
}

TEST(Succeeds, matches_values_and_no_failure) {
  EXPECT_TRUE(matches(succeeds(), kSeven));
  EXPECT_TRUE(matches(succeeds(), kDone));
  EXPECT_TRUE(matches(succeeds(), Result<bool>(false)));
  EXPECT_FALSE(matches(succeeds(), kOdd));
  EXPECT_FALSE(matches(succeeds(), kHeld));
}

TEST(Succeeds, says_what_it_expects_and_what_there_is) {
  EXPECT_EQ(description<int>(succeeds()), "succeeds");
  EXPECT_EQ(description<int>(Not(succeeds())), "fails");
  EXPECT_EQ(explanation(succeeds(), kHeld), "which failed with LeaseHeld: somebody has it");
  EXPECT_EQ(explanation(Not(succeeds()), kSeven), "which holds 7");
}

TEST(Holds, compares_the_value_and_matches_no_failure) {
  EXPECT_TRUE(matches(holds(7), kSeven));
  EXPECT_FALSE(matches(holds(8), kSeven));
  EXPECT_FALSE(matches(holds(7), kOdd));
  EXPECT_TRUE(matches(holds("a"), Result<std::string>("a")));
  EXPECT_FALSE(matches(holds("b"), Result<std::string>("a")));
}

TEST(Holds, shows_the_value_to_a_matcher) {
  EXPECT_TRUE(matches(holds(testing::Gt(6)), kSeven));
  EXPECT_FALSE(matches(holds(testing::Gt(7)), kSeven));
  EXPECT_FALSE(matches(holds(_), kOdd));
  EXPECT_TRUE(matches(holds(SizeIs(2)), Result<std::vector<Opaque>>(std::vector<Opaque>(2))));
  EXPECT_FALSE(matches(holds(IsEmpty()), Result<std::vector<Opaque>>(std::vector<Opaque>(2))));
  EXPECT_TRUE(matches(holds(Pointee(7)), Result<std::unique_ptr<int>>(std::make_unique<int>(7))));
  EXPECT_FALSE(matches(holds(Pointee(8)), Result<std::unique_ptr<int>>(std::make_unique<int>(7))));
}

TEST(Holds, says_what_it_expects_and_what_there_is) {
  EXPECT_EQ(description<int>(holds(7)), "holds a value that is equal to 7");
  EXPECT_EQ(description<int>(Not(holds(7))), "fails, or holds a value that isn't equal to 7");
  EXPECT_EQ(explanation(holds(8), kSeven), "which holds 7");
  EXPECT_EQ(explanation(holds(7), kOdd), "which failed with Validation: 7 is odd");
  EXPECT_EQ(explanation(holds(SizeIs(3)), Result<std::string>("ab")), "which holds \"ab\", whose size 2 doesn't match");
}

}  // namespace
}  // namespace dolmen
