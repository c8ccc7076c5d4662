#include "access/policy_document.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::access {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";
constexpr std::string_view kTable = "arn:aws:dynamodb:us-east-1:000000000000:table/things";

std::string policy(std::string_view effect, std::string_view principal, std::string_view action,
                   std::string_view more = "") {
  return std::string(R"({"Version":"2012-10-17","Statement":[{"Effect":")")
      .append(effect)
      .append(R"(","Principal":)")
      .append(principal)
      .append(R"(,"Action":)")
      .append(action)
      .append(R"(,"Resource":")")
      .append(kTable)
      .append("\"")
      .append(more)
      .append("}]}");
}

std::string refusal_of(std::string_view text) {
  const Result<PolicyDocument> read = PolicyDocument::parse(text);
  if (read) return "";
  EXPECT_EQ(read.error().code(), Code::kValidation);
  return read.error().message();
}

PolicyVerdict verdict(const std::string& text, const std::string& key, const std::string& action) {
  return PolicyDocument::parse(text)->judge({.principal = "arn:aws:iam::000000000000:user/" + key,
                                             .account = "000000000000",
                                             .action = action,
                                             .resource = std::string(kTable)});
}

TEST(PolicyDocument, has_one_form_for_equivalent_policies) {
  const Result<PolicyDocument> one = PolicyDocument::parse(
      R"({ "Statement": { "Resource": ["*"], "Action": ["dynamodb:GetItem"], "Effect": "Allow",
           "Principal": {"AWS": "000000000000"}, "Sid": "s" } })");
  const Result<PolicyDocument> two = PolicyDocument::parse(
      R"({"Version":"2008-10-17","Statement":[{"Sid":"s","Effect":"Allow",
          "Principal":{"AWS":["arn:aws:iam::000000000000:root"]},"Action":"dynamodb:GetItem","Resource":"*"}]})");
  ASSERT_TRUE(one.has_value() && two.has_value());
  EXPECT_EQ(one->canonical(),
            R"({"Version":"2008-10-17","Statement":[{"Sid":"s","Effect":"Allow",)"
            R"("Principal":{"AWS":"arn:aws:iam::000000000000:root"},"Action":"dynamodb:GetItem","Resource":"*"}]})");
  EXPECT_EQ(one->canonical(), two->canonical());
  EXPECT_EQ(PolicyDocument::parse(one->canonical())->canonical(), one->canonical());
}

TEST(PolicyDocument, is_refused_in_the_words_of_dynamodb) {
  const std::string document = std::string(kInvalid) + "Invalid policy document: ";
  EXPECT_EQ(refusal_of(""), document + "This policy contains invalid Json");
  EXPECT_EQ(refusal_of("[]"), document + "This policy contains invalid Json");
  EXPECT_EQ(refusal_of("null"), document + "This text appears not to be a policy");
  EXPECT_EQ(refusal_of("{}"), document + "Syntax error at position (1,3)");
  EXPECT_EQ(refusal_of(R"({"Statement":[]})"), document + "Could not parse the policy: Statement is empty!");
  EXPECT_EQ(refusal_of(R"({"Statement":{"Principal":"*"}})"), document + "Missing required field Effect");
  EXPECT_EQ(refusal_of(R"({"Statement":{"Effect":"Deny","Principal":"*","Action":"*"}})"),
            document + "Missing required field Resource");
  EXPECT_EQ(refusal_of(policy("Deny", "\"*\"", R"(["dynamodb:Fly","dynamodb:Get*","s3:GetObject"])")),
            document + "The following action names are invalid: dynamodb:Fly, s3:GetObject");
  EXPECT_EQ(refusal_of(policy("Deny", "\"somebody\"", "\"*\"")),
            std::string(kInvalid) + "Invalid principal in policy document.");
  EXPECT_EQ(refusal_of(policy("Allow", R"({"AWS":"*"})", "\"dynamodb:GetItem\"")),
            "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure "
            "least-privilege form of access");
  const std::string twice = R"({"Sid":"s","Effect":"Deny","Principal":"*","Action":"*","Resource":"*"})";
  EXPECT_EQ(refusal_of(R"({"Statement":[)" + twice + "," + twice + "]}"),
            document + "The Statement Ids in the policy are not unique");
  EXPECT_EQ(refusal_of(std::string(20481, ' ')), std::string(kInvalid) + "Maximum policy size of 20480 bytes exceeded");
}

TEST(PolicyDocument, judges_by_principal_action_and_resource) {
  const std::string one_key = R"({"AWS":"arn:aws:iam::000000000000:user/K1"})";
  const std::string allow = policy("Allow", one_key, R"(["dynamodb:Get*","dynamodb:Query"])");
  EXPECT_EQ(verdict(allow, "K1", "dynamodb:GetItem"), PolicyVerdict::kAllow);
  EXPECT_EQ(verdict(allow, "K2", "dynamodb:GetItem"), PolicyVerdict::kNothing);
  EXPECT_EQ(verdict(allow, "K1", "dynamodb:PutItem"), PolicyVerdict::kNothing);
  const std::string deny = policy("Deny", "\"*\"", "\"dynamodb:DeleteTable\"");
  EXPECT_EQ(verdict(deny, "K1", "dynamodb:DeleteTable"), PolicyVerdict::kDeny);
  const std::string account = policy("Allow", R"({"AWS":"000000000000"})", "\"*\"");
  EXPECT_EQ(verdict(account, "any", "dynamodb:PutItem"), PolicyVerdict::kAllow);
}

TEST(PolicyDocument, does_not_trust_a_condition_that_it_cannot_evaluate) {
  const std::string condition = R"(,"Condition":{"StringEquals":{"aws:SourceVpc":"vpc-1"}})";
  const std::string one_key = R"({"AWS":"arn:aws:iam::000000000000:user/K1"})";
  EXPECT_EQ(verdict(policy("Allow", one_key, "\"*\"", condition), "K1", "dynamodb:GetItem"), PolicyVerdict::kNothing);
  EXPECT_EQ(verdict(policy("Deny", one_key, "\"*\"", condition), "K1", "dynamodb:GetItem"), PolicyVerdict::kDeny);
}

TEST(PolicyDocument, matches_wildcards_without_running_away) {
  EXPECT_TRUE(matches_wildcards("a*b?d", "axxbcd"));
  EXPECT_FALSE(matches_wildcards("a*b?d", "axxbd"));
  EXPECT_TRUE(matches_wildcards("*", ""));
  const std::string many(2000, 'a');
  EXPECT_FALSE(matches_wildcards("*a*a*a*a*a*a*a*a*b", many));
}

}  // namespace
}  // namespace dolmen::access
