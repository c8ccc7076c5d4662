// Operations on the tables of a store in memory, as JSON.
#include "server/json_door.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "dolmen/dolmen.h"

namespace dolmen {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kThings =
    R"("TableName":"things","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}])";

class JsonDoorTest : public testing::Test {
 protected:
  JsonDoorTest() { std::filesystem::create_directory(folder_ / "bin"); }

  /// What is said about an import that has begun.
  Result<std::string> imported(std::string_view more) {
    return door_.call(
        "ImportTable",
        fmt::format(R"({{"ClientToken":"1","InputFormat":"DYNAMODB_JSON","S3BucketSource":{{"S3Bucket":"bin"}},)"
                    R"("TableCreationParameters":{{{}{}}}}})",
                    kThings, more));
  }

  TemporaryDirectory folder_;
  std::unique_ptr<Store> store_ = open_embedded({.durability = Durability::kMemory, .buckets = folder_.path()}).value();
  JsonDoor door_{*store_, "us-east-1"};
};

TEST_F(JsonDoorTest, describes_the_indexes_of_a_table_in_its_backup) {
  ASSERT_THAT(
      store_->create_table(
          {.name = "things", .partition_key = {"p"}, .global_indexes = {{.name = "by-g", .partition_keys = {{"g"}}}}}),
      succeeds());
  const std::string made = door_.call("CreateBackup", R"({"TableName":"things","BackupName":"first"})").value();
  const std::string begin = R"("BackupArn":")";
  const std::size_t at = made.find(begin) + begin.size();
  const std::string arn = made.substr(at, made.find('"', at) - at);
  EXPECT_THAT(door_.call("DescribeBackup", fmt::format(R"({{"BackupArn":"{}"}})", arn)).value(),
              HasSubstr(R"("GlobalSecondaryIndexes":[{"IndexName":"by-g","KeySchema":)"));
}

TEST_F(JsonDoorTest, describes_the_limits_of_an_imported_table) {
  EXPECT_THAT(imported(R"(,"OnDemandThroughput":{"MaxReadRequestUnits":5})").value(),
              HasSubstr(R"("OnDemandThroughput":{"MaxReadRequestUnits":5})"));
}

TEST_F(JsonDoorTest, describes_no_limits_of_an_imported_table_that_has_none) {
  EXPECT_THAT(imported("").value(), Not(HasSubstr("OnDemandThroughput")));
}

TEST_F(JsonDoorTest, refuses_values_of_more_than_2_mb_in_an_expression) {
  ASSERT_THAT(door_.call("CreateTable", fmt::format("{{{}}}", kThings)), succeeds());
  const auto scanned = [&](std::size_t bytes) {
    return door_.call("Scan", fmt::format(R"({{"TableName":"things","FilterExpression":"a = :v",)"
                                          R"("ExpressionAttributeValues":{{":v":{{"S":"{}"}}}}}})",
                                          std::string(bytes, 'x')));
  };
  EXPECT_THAT(scanned(2'097'152 - 2), succeeds());
  EXPECT_THAT(
      scanned(2'097'152 - 1),
      fails_with(Code::kValidation, "ExpressionAttributeValues contains values of more than 2097152 bytes in all"));
}

}  // namespace
}  // namespace dolmen
