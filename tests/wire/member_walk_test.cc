#include "tests/wire/member_walk.h"

#include <gtest/gtest.h>

#include "base/file_writer.h"
#include "base/test_result.h"

namespace dolmen::wire {
namespace {

Walk walk_with(std::string_view statements) {
  Result<Walk> walk = walk_members(statements);
  EXPECT_TRUE(walk.has_value()) << (walk ? "" : walk.error().message());
  return walk ? *std::move(walk) : Walk{};
}

const WalkedMember* find_walked(const Walk& walk, std::string_view operation, std::string_view path) {
  for (const WalkedOperation& walked : walk.operations)
    if (walked.name == operation)
      for (const WalkedMember& member : walked.members)
        if (member.path == path) return &member;
  return nullptr;
}

TEST(MemberWalk, finds_no_member_that_is_neither_used_nor_checked_nor_refused) {
  const Result<std::string> statements = FileWriter::read("tools/compatibility.json", std::size_t{4} << 20);
  ASSERT_TRUE(statements.has_value());
  const Walk walk = walk_with(*statements);
  EXPECT_EQ(walk.operations.size(), 66U);
  EXPECT_EQ(walk.mistakes, std::vector<std::string>());
  for (const WalkedOperation& operation : walk.operations)
    for (const WalkedMember& member : operation.members)
      EXPECT_NE(member.state, MemberState::kIgnored) << operation.name << ": " << member.path;
  for (const auto& [state, count] : walk.counts())
    RecordProperty(std::string(state_name(state)), std::to_string(count));
}

TEST(MemberWalk, sees_a_member_that_nobody_reads) {
  // No token is ever given out, so this one is only checked. Without that statement it is ignored.
  const Walk walk = walk_with(R"({"operations":{"ListTagsOfResource":{}}})");
  const WalkedMember* token = find_walked(walk, "ListTagsOfResource", "NextToken");
  ASSERT_NE(token, nullptr);
  EXPECT_EQ(token->state, MemberState::kIgnored);
  const WalkedMember* arn = find_walked(walk, "ListTagsOfResource", "ResourceArn");
  ASSERT_NE(arn, nullptr);
  EXPECT_EQ(arn->state, MemberState::kUsed);
}

TEST(MemberWalk, refuses_statements_that_are_not_true) {
  const Walk walk = walk_with(
      R"({"operations":{"ListTables":{"checked":{"Limit":"it is read","Lmit":"there is none"}},"ListTable":{}}})");
  const std::set<std::string> mistakes(walk.mistakes.begin(), walk.mistakes.end());
  EXPECT_TRUE(mistakes.contains("ListTables: Limit is read, not only checked"));
  EXPECT_TRUE(mistakes.contains("ListTables has no parameter Lmit"));
  EXPECT_TRUE(mistakes.contains("DynamoDB has no operation ListTable"));
  EXPECT_TRUE(mistakes.contains("tools/compatibility.json does not have PutItem"));
}

}  // namespace
}  // namespace dolmen::wire
