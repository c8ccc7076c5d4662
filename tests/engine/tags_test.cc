#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/things";

Result<TagsChanged> tag(Service& service, std::vector<Tag> tags, std::string_view arn = kArn) {
  return call<TagResource>(service, {.arn = std::string(arn), .tags = std::move(tags)});
}
Result<TagsChanged> untag(Service& service, std::vector<std::string> keys, std::string_view arn = kArn) {
  return call<UntagResource>(service, {.arn = std::string(arn), .keys = std::move(keys)});
}
std::vector<Tag> tags_of(Service& service) {
  return call<ListTagsOfResource>(service, {.arn = std::string(kArn)}).value().tags;
}
std::vector<Tag> numbered_tags(int count, int first = 0) {
  std::vector<Tag> tags;
  for (int i = first; i < first + count; ++i) tags.push_back({.key = "k" + std::to_string(i), .value = ""});
  return tags;
}

TEST(TagsOfATable, are_added_replaced_and_removed) {
  const TemporaryDirectory directory;
  auto service = open_engine(directory.path());
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}, .tags = {{"first", "1"}}}), succeeds());
  EXPECT_THAT(tags_of(*service), ElementsAre(Tag{"first", "1"}));
  ASSERT_THAT(tag(*service, {{"second", "2"}, {"First", ""}}), succeeds());
  ASSERT_THAT(tag(*service, {{"first", "one"}}), succeeds());
  service.reset();
  service = open_engine(directory.path());
  EXPECT_THAT(tags_of(*service), ElementsAre(Tag{"First", ""}, Tag{"first", "one"}, Tag{"second", "2"}));
  ASSERT_THAT(untag(*service, {"first", "absent", "first"}), succeeds());
  EXPECT_THAT(tags_of(*service), ElementsAre(Tag{"First", ""}, Tag{"second", "2"}));
  EXPECT_TRUE(describe_table(*service, "things").value().definition.tags.empty());
  ASSERT_THAT(delete_table(*service, "things"), succeeds());
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}}), succeeds());
  EXPECT_THAT(tags_of(*service), IsEmpty());
}

TEST(TagsOfATable, are_at_most_fifty_all_or_nothing) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}}), succeeds());
  const std::string too_many = "Number of Tags exceed the current limit for the provided ResourceArn";
  EXPECT_THAT(tag(*service, numbered_tags(51)), fails_with(Code::kValidation, too_many));
  EXPECT_THAT(tags_of(*service), IsEmpty());
  ASSERT_THAT(tag(*service, numbered_tags(50)), succeeds());
  ASSERT_THAT(tag(*service, numbered_tags(50)), succeeds());
  EXPECT_THAT(tag(*service, {{"k0", "changed"}, {"k50", ""}}), fails_with(Code::kValidation, too_many));
  EXPECT_EQ(tags_of(*service), [] {
    auto tags = numbered_tags(50);
    std::ranges::sort(tags, {}, &Tag::key);
    return tags;
  }());
  TableDefinition definition{.name = "other", .partition_key = {"p"}};
  for (const Tag& one : numbered_tags(51)) definition.tags[one.key] = one.value;
  EXPECT_THAT(create_table(*service, definition), fails_with(Code::kValidation, too_many));
  EXPECT_THAT(describe_table(*service, "other"), fails_with(Code::kTableNotFound));
}

TEST(TagsOfATable, need_at_least_one_key) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}}), succeeds());
  EXPECT_THAT(tag(*service, {}), fails_with(Code::kValidation, "Atleast one Tag needs to be provided as Input."));
  EXPECT_THAT(untag(*service, {}), fails_with(Code::kValidation, "Atleast one Tag Key needs to be provided as Input."));
  EXPECT_THAT(untag(*service, {"AWS:x"}),
              fails_with(Code::kValidation, "Tag Key cannot be prefixed with aws:, Key: AWS:x"));
}

TEST(TagsOfATable, belong_to_the_arns_of_tables_of_this_account_and_region) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"p"}}), succeeds());
  const std::string invalid = "One or more parameter values were invalid: ";
  const auto expect = [&](const std::string& arn, Code code, const std::string& message) {
    EXPECT_THAT(tag(*service, {{"k", "v"}}, arn), fails_with(code, message));
    EXPECT_THAT(untag(*service, {"k"}, arn), fails_with(code, message));
    EXPECT_THAT(call<ListTagsOfResource>(*service, {.arn = arn}), fails_with(code, message));
  };
  expect("things", Code::kValidation, invalid + "ARNs must start with 'arn:': things");
  expect("arn:aws:dynamodb", Code::kValidation, invalid + "Third colon vendor not found: arn:aws:dynamodb");
  for (const std::string arn :
       {"arn:aws:s3:us-east-1:000000000000:table/things", "arn:aws:dynamodb:us-east-1:000000000000:backup/things",
        "arn:aws:dynamodb:us-east-1:000000000000:table/things/backup/1", "arn:aws:dynamodb:us-east-1:000000000000:"})
    expect(arn, Code::kValidation, invalid + "Provided Arn is not a DynamoDB resource arn: " + arn);
  const std::string index = std::string(kArn) + "/index/by-who";
  expect(index, Code::kValidation,
         invalid + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + index);
  const std::string far = "arn:aws:dynamodb:eu-west-1:000000000000:table/things";
  expect(far, Code::kValidation, "Invalid TableArn: Invalid ResourceArn provided as input " + far);
  expect("arn:aws:dynamodb:us-east-1:111111111111:table/missing", Code::kAccessDenied, "Access is denied");
  for (const std::string arn : {"arn:aws:dynamodb:us-east-1:000000000000:table/missing",
                                "arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/2026-11-16T00:00:00.000",
                                "arn:aws:dynamodb:us-east-1:000000000000:table/dolmen:documents"})
    expect(arn, Code::kTableNotFound, "Requested resource not found: ResourceArn: " + arn + " not found");
  EXPECT_THAT(tags_of(*service), IsEmpty());
}

}  // namespace
}  // namespace dolmen::engine
