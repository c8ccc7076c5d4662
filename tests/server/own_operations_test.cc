// Dolmen's own operations on the tables of a store in memory, as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/dolmen.h"
#include "server/json_door.h"

namespace dolmen {
namespace {

class OwnOperations : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(store_->create_table({.name = "things",
                                      .partition_key = {"p"},
                                      .global_indexes = {{.name = "by-g", .partition_keys = {{"g"}}}}}),
                succeeds());
  }
  void must(std::string_view operation, std::string_view body) { ASSERT_THAT(door_.call(operation, body), succeeds()); }

  std::unique_ptr<Store> store_ = open("memory:").value();
  JsonDoor door_{*store_, "us-east-1"};
};

TEST_F(OwnOperations, tell_the_keys_of_a_table_or_of_an_index_that_are_used_most) {
  EXPECT_THAT(door_.call("DescribeTopKeys", R"({"TableName":"things"})"), fails_with(Code::kValidation));
  must("UpdateContributorInsights", R"({"TableName":"things","ContributorInsightsAction":"ENABLE"})");
  must("UpdateContributorInsights",
       R"({"TableName":"things","IndexName":"by-g","ContributorInsightsAction":"ENABLE"})");
  ASSERT_THAT(store_->put_item("things", {{"p", "a"}, {"g", "x"}}), succeeds());
  ASSERT_THAT(store_->get_item("things", {{"p", "a"}}), succeeds());
  EXPECT_THAT(door_.call("DescribeTopKeys", R"({"TableName":"things"})"),
              holds(R"({"TableName":"things","Total":2,)"
                    R"("PartitionKeys":[{"Key":{"p":{"S":"a"}},"Count":2,"ErrorMax":0}],"Keys":[]})"));
  EXPECT_THAT(door_.call("DescribeTopKeys", R"({"TableName":"things","IndexName":"by-g"})"),
              holds(R"({"TableName":"things","IndexName":"by-g","Total":1,)"
                    R"("PartitionKeys":[{"Key":{"g":{"S":"x"}},"Count":1,"ErrorMax":0}],"Keys":[]})"));
}

TEST_F(OwnOperations, measure_a_vector_index) {
  ASSERT_THAT(store_->create_table({.name = "places",
                                    .partition_key = {"p"},
                                    .vector_indexes = {{.name = "near", .attribute = "v", .dimensions = 2}}}),
              succeeds());
  for (int i = 1; i <= 3; ++i)
    ASSERT_THAT(store_->put_item("places", {{"p", std::to_string(i)}, {"v", List{i, 1}}}), succeeds());
  const auto described = [&](const std::string& rest) {
    return door_.call("DescribeVectorIndex", R"({"TableName":"places","IndexName":"near")" + rest + "}");
  };
  EXPECT_THAT(described("").value(), testing::HasSubstr(R"("Vectors":3,)"));
  EXPECT_THAT(described("").value(), testing::EndsWith(R"("Sample":0})"));
  EXPECT_THAT(described(R"(,"Sample":2)").value(), testing::HasSubstr(R"("Sample":2,"Recall":1.0000,)"));
  for (const char* wrong : {"-1", "1.5", "\"2\"", "10001", "null"})
    EXPECT_THAT(described(R"(,"Sample":)" + std::string(wrong)), fails_with(Code::kValidation)) << wrong;
  EXPECT_THAT(door_.call("DescribeVectorIndex", R"({"TableName":"places","IndexName":"none"})"),
              fails_with(Code::kValidation));
}

TEST_F(OwnOperations, check_the_store_in_the_background) {
  ASSERT_THAT(store_->put_item("things", {{"p", "a"}, {"g", "x"}}), succeeds());
  EXPECT_THAT(door_.call("DescribeStoreCheck", R"({"CheckId":"1"})"), fails_with(Code::kResourceNotFound));
  EXPECT_THAT(door_.call("StartStoreCheck", "{}"), holds(R"({"CheckId":"1"})"));
  std::string described;
  do described = door_.call("DescribeStoreCheck", R"({"CheckId":"1"})").value();
  while (described.contains("RUNNING"));
  EXPECT_THAT(described, testing::HasSubstr(R"("Status":"DONE")"));
  EXPECT_THAT(described, testing::HasSubstr(R"("Tables":1,"Items":1,"IndexRows":1)"));
  EXPECT_THAT(described, testing::HasSubstr(R"("ProblemCount":0,"Problems":[])"));
  EXPECT_THAT(door_.call("StartStoreCheck", "{}"), holds(R"({"CheckId":"2"})"));
}

}  // namespace
}  // namespace dolmen
