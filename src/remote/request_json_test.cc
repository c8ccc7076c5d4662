// The bodies of requests about tables: what is given, and nothing of what is not.
#include "remote/request_json.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::remote {
namespace {

TableTime at(std::int64_t milliseconds) { return TableTime(std::chrono::milliseconds(milliseconds)); }

TEST(RequestJson, of_an_update_changes_vector_indexes) {
  EXPECT_EQ(request_body(TableUpdate{.table = "t"}), R"({"TableName":"t"})");
  EXPECT_EQ(request_body(TableUpdate{.table = "t", .vector_indexes = {DeleteVectorIndex{"near"}}}),
            R"({"TableName":"t","VectorIndexUpdates":[{"Delete":{"IndexName":"near"}}]})");
  const VectorIndexDefinition near{.name = "near",
                                   .attribute = "v",
                                   .dimensions = 3,
                                   .search = {{.name = "kind", .role = SearchRole::kInlineFilter}}};
  const std::string body = request_body(TableUpdate{.table = "t", .vector_indexes = {CreateVectorIndex{near}}}).value();
  EXPECT_TRUE(
      body.starts_with(R"({"TableName":"t","AttributeDefinitions":[{"AttributeName":"kind","AttributeType":"S"}],)"
                       R"("VectorIndexUpdates":[{"Create":{"IndexName":"near",)"))
      << body;
}

TEST(RequestJson, of_an_update_changes_settings) {
  EXPECT_EQ(request_body(TableUpdate{.table = "t",
                                     .billing_mode = BillingMode::kProvisioned,
                                     .throughput = Throughput{.read_units = 5, .write_units = 6},
                                     .stream = StreamUpdate{.enabled = true, .view = StreamView::kNewImage},
                                     .deletion_protection = true}),
            R"({"TableName":"t","BillingMode":"PROVISIONED",)"
            R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
            R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
            R"("DeletionProtectionEnabled":true})");
  EXPECT_EQ(request_body(TableUpdate{.table = "t", .deletion_protection = false}),
            R"({"TableName":"t","DeletionProtectionEnabled":false})");
}

TEST(RequestJson, of_a_list_of_backups_says_which) {
  EXPECT_EQ(request_body(ListBackupsOptions{}), "{}");
  EXPECT_EQ(request_body(ListBackupsOptions{.of_table = "t",
                                            .limit = 7,
                                            .from = at(1'763'288'430'250),
                                            .until = at(1'763'288'431'000),
                                            .after = "arn:b",
                                            .type = BackupType::kUser}),
            R"({"TableName":"t","Limit":7,"TimeRangeLowerBound":1763288430.250,"TimeRangeUpperBound":1763288431.000,)"
            R"("ExclusiveStartBackupArn":"arn:b","BackupType":"USER"})");
  EXPECT_EQ(request_body(ListBackupsOptions{.all_types = true}), R"({"BackupType":"ALL"})");
}

TEST(RequestJson, of_a_list_of_contributor_insights_says_which) {
  EXPECT_EQ(request_body(ListContributorInsightsRequest{}), "{}");
  EXPECT_EQ(request_body(ListContributorInsightsRequest{.table = "t", .next_token = "next", .limit = 7}),
            R"({"TableName":"t","NextToken":"next","MaxResults":7})");
}

TEST(RequestJson, of_an_export_says_what_is_exported) {
  EXPECT_EQ(request_body(ExportTableRequest{.table_arn = "arn:t", .to = {.bucket = "b"}}),
            R"({"TableArn":"arn:t","S3Bucket":"b","ExportFormat":"DYNAMODB_JSON"})");
  EXPECT_EQ(request_body(ExportTableRequest{
                .table_arn = "arn:t",
                .to = {.bucket = "b", .owner = "123", .prefix = "p"},
                .incremental = true,
                .window = IncrementalExport{.from = at(1'000), .to = at(2'500), .old_images = false}}),
            R"({"TableArn":"arn:t","S3Bucket":"b","S3BucketOwner":"123","S3Prefix":"p","ExportFormat":"DYNAMODB_JSON",)"
            R"("ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{"ExportFromTime":1.000,)"
            R"("ExportToTime":2.500,"ExportViewType":"NEW_IMAGE"}})");
}

}  // namespace
}  // namespace dolmen::remote
