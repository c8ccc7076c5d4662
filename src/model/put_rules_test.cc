#include "model/put_rules.h"

#include <gtest/gtest.h>

namespace dolmen {
namespace {

/// A value of which only that is known what the rules ask for.
struct Known {
  enum Kind : std::uint8_t { kMissing, kNull, kBlank, kEmpty, kFull };
  Kind kind = kFull;

  [[nodiscard]] bool is_missing() const { return kind == kMissing; }
  [[nodiscard]] bool is_null() const { return kind == kNull; }
  [[nodiscard]] bool is_blank() const { return kind == kBlank; }
  [[nodiscard]] bool is_empty() const { return kind == kBlank || kind == kEmpty; }
};

PutAttribute rule_of(const ModelAttribute& attribute) { return {.attribute = &attribute, .path = attribute.name}; }

TEST(PutRules, set_times_whatever_the_item_says) {
  const ModelAttribute created{.name = "created", .roles = {{.role = Role::kCreatedAt}}};
  PutAttribute rule = rule_of(created);
  rule.is_time = true;
  for (const Known::Kind kind : {Known::kMissing, Known::kNull, Known::kFull})
    EXPECT_EQ(PutRules(true).step(rule, Known{kind}), PutStep::kStoreNow);
}

TEST(PutRules, begin_the_version_at_zero) {
  const ModelAttribute version{.name = "version", .type = Type::kNumber, .omit_empty = true};
  PutAttribute rule = rule_of(version);
  rule.is_version = true;
  for (const Known::Kind kind : {Known::kMissing, Known::kNull, Known::kEmpty})
    EXPECT_EQ(PutRules(true).step(rule, Known{kind}), PutStep::kStoreZero);
  EXPECT_EQ(PutRules(true).step(rule, Known{Known::kFull}), PutStep::kStore);
}

TEST(PutRules, fail_a_put_without_its_key_and_take_a_key_of_zero) {
  const ModelAttribute key{.name = "pk", .omit_empty = true};
  PutAttribute rule = rule_of(key);
  rule.is_key = true;
  const std::pair<Known::Kind, std::string> cases[] = {
      {Known::kMissing, "missing"}, {Known::kNull, "null"}, {Known::kBlank, "empty"}};
  for (const auto& [kind, how] : cases) {
    PutRules rules(false);
    EXPECT_EQ(rules.step(rule, Known{kind}), PutStep::kLeaveOut);
    EXPECT_EQ(rules.error(), Error(Code::kMissingPrimaryKey, "the key attribute \"pk\" is " + how));
  }
  EXPECT_EQ(PutRules(true).step(rule, Known{Known::kEmpty}), PutStep::kStore);
}

TEST(PutRules, leave_empty_attributes_out_where_the_model_says_so) {
  const ModelAttribute kept{.name = "kept"};
  const ModelAttribute omitted{.name = "omitted", .omit_empty = true};
  PutRules rules(true);
  for (const Known::Kind kind : {Known::kNull, Known::kBlank, Known::kEmpty}) {
    EXPECT_EQ(rules.step(rule_of(kept), Known{kind}), PutStep::kStore);
    EXPECT_EQ(rules.step(rule_of(omitted), Known{kind}), PutStep::kLeaveOut);
  }
  EXPECT_EQ(rules.step(rule_of(kept), Known{Known::kMissing}), PutStep::kLeaveOut);
  EXPECT_TRUE(rules.problems().empty());
}

TEST(PutRules, tell_all_required_attributes_that_are_not_there) {
  const ModelAttribute missing{.name = "missing", .required = true};
  const ModelAttribute empty{.name = "empty", .required = true, .omit_empty = true};
  for (const bool check_required : {true, false}) {
    PutRules rules(check_required);
    rules.step(rule_of(missing), Known{Known::kMissing});
    rules.step(rule_of(empty), Known{Known::kEmpty});
    const std::vector<ErrorDetail> expected{{"missing", "required", "the required attribute \"missing\" is missing"},
                                            {"empty", "required", "the required attribute \"empty\" is empty"}};
    EXPECT_EQ(rules.problems(), check_required ? expected : std::vector<ErrorDetail>());
  }
}

TEST(PutRules, keep_the_first_failure_of_the_whole_put) {
  const ModelAttribute attribute{.name = "a"};
  PutRules rules(true);
  rules.refuse(rule_of(attribute), Error(Code::kInvalidModel, "does not fit"));
  EXPECT_EQ(rules.error(), std::nullopt);
  EXPECT_EQ(rules.problems(), (std::vector<ErrorDetail>{{"a", "type", "does not fit"}}));
  rules.refuse(rule_of(attribute), Error(Code::kUnavailable, "no keys now"));
  rules.refuse(rule_of(attribute), Error(Code::kTimeout, "later"));
  EXPECT_EQ(rules.error(), Error(Code::kUnavailable, "no keys now"));
}

}  // namespace
}  // namespace dolmen
