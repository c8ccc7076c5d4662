// Time to live and tags: what is set and described. That items leave is told by the tests of the engine and of the
// server, because elsewhere it takes up to two days.
#include <map>

#include "base/test_result.h"
#include "conformance.h"

namespace dolmen::conformance {
namespace {

using TimesToLive = StoreTest;
using Tags = StoreTest;
using TagMap = std::map<std::string, std::string>;

TEST_F(TimesToLive, are_described_as_they_were_set) {
  EXPECT_THAT(store().describe_time_to_live(table()), holds(TimeToLive{}));
  ASSERT_THAT(store().update_time_to_live(table(), {.attribute = "ends"}), succeeds());
  EXPECT_EQ(store().describe_time_to_live(table()).value().attribute, "ends");
  EXPECT_THAT(store().update_time_to_live(table(), {.attribute = "ends"}), fails_with(Code::kValidation));
  EXPECT_THAT(store().describe_time_to_live(fresh_name("none")), fails_with(Code::kTableNotFound));
}

TEST_F(TimesToLive, come_with_a_new_table) {
  const std::string timed = make_table({.partition_key = {"id"}, .ttl = "ends"});
  EXPECT_EQ(store().describe_time_to_live(timed).value().attribute, "ends");
}

TEST_F(TimesToLive, are_ensured_with_the_table) {
  const TableDefinition plain{.name = make_table({.partition_key = {"id"}}), .partition_key = {"id"}};
  EXPECT_THAT(ensure_table(store(), plain), succeeds());
  EXPECT_FALSE(store().describe_time_to_live(plain.name).value().attribute);
  TableDefinition timed = plain;
  timed.ttl = "ends";
  // With another key it is another table, which is left alone.
  TableDefinition foreign = timed;
  foreign.partition_key = {"other"};
  EXPECT_THAT(ensure_table(store(), foreign), fails_with(Code::kInvalidArgument));
  EXPECT_FALSE(store().describe_time_to_live(plain.name).value().attribute);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(ensure_table(store(), timed), succeeds());
    EXPECT_EQ(store().describe_time_to_live(plain.name).value().attribute, "ends");
  }
  timed.ttl = "other";
  EXPECT_THAT(ensure_table(store(), timed),
              fails_with(Code::kInvalidArgument, testing::HasSubstr("time to live: wanted other, is ends")));
}

TEST_F(Tags, are_added_replaced_and_removed) {
  const std::string arn = store().describe_table(table()).value().arn;
  EXPECT_THAT(store().tags_of(arn), holds(TagMap{}));
  ASSERT_THAT(store().tag_resource(arn, {{"a", "1"}, {"b", ""}}), succeeds());
  ASSERT_THAT(store().tag_resource(arn, {{"a", "2"}}), succeeds());
  EXPECT_THAT(store().tags_of(arn), holds(TagMap{{"a", "2"}, {"b", ""}}));
  ASSERT_THAT(store().untag_resource(arn, {"b"}), succeeds());
  EXPECT_THAT(store().tags_of(arn), holds(TagMap{{"a", "2"}}));
  EXPECT_THAT(store().tag_resource(arn, {{"#", ""}}), fails_with(Code::kValidation));
}

TEST_F(Tags, come_with_a_new_table) {
  const std::string tagged = make_table({.partition_key = {"id"}, .tags = {{"a", "1"}}});
  EXPECT_THAT(store().tags_of(store().describe_table(tagged).value().arn), holds(TagMap{{"a", "1"}}));
}

}  // namespace
}  // namespace dolmen::conformance
