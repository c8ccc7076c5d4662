// Responses about time to live and exports as AWS sends them.
#include "remote/response_reader.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::remote {
namespace {

TEST(TimeToLiveJson, names_the_attribute_when_there_is_one) {
  const auto read = [](const char* body) { return read_response(DescribeTimeToLive{}, body, {}); };
  const TimeToLive enabled =
      read(R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ends"}})").value();
  EXPECT_EQ(enabled.status, TimeToLiveStatus::kEnabled);
  EXPECT_EQ(enabled.attribute, "ends");
  const TimeToLive disabled = read(R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})").value();
  EXPECT_EQ(disabled.status, TimeToLiveStatus::kDisabled);
  EXPECT_EQ(disabled.attribute, std::nullopt);
  for (const char* body :
       {"", "{}", R"({"TimeToLiveDescription":{}})", R"({"TimeToLiveDescription":{"TimeToLiveStatus":"SOMETIMES"}})",
        R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":1}})"})
    EXPECT_THAT(read(body), fails_with(Code::kUnexpectedResponse)) << body;
}

TEST(ExportJson, is_read_whole) {
  const ExportDescription described =
      read_response(DescribeExport{},
                    R"({"ExportDescription":{"ExportArn":"arn:e","ExportStatus":"COMPLETED","StartTime":1.5,"EndTime":2,
                        "TableArn":"arn:t","TableId":"id","S3Bucket":"b","S3Prefix":"p","ExportFormat":"ION",
                        "ExportType":"INCREMENTAL_EXPORT","ExportManifest":"m","ItemCount":3,"BilledSizeBytes":4,
                        "IncrementalExportSpecification":{"ExportFromTime":5,"ExportToTime":6,
                                                          "ExportViewType":"NEW_IMAGE"}}})",
                    {})
          .value();
  EXPECT_EQ(described.arn, "arn:e");
  EXPECT_EQ(described.status, JobStatus::kCompleted);
  EXPECT_EQ(described.started.time_since_epoch().count(), 1500);
  EXPECT_EQ(described.ended.value().time_since_epoch().count(), 2000);
  EXPECT_EQ(described.asked.table_arn, "arn:t");
  EXPECT_EQ(described.table_id, "id");
  EXPECT_EQ(described.asked.to.bucket, "b");
  EXPECT_EQ(described.asked.to.prefix, "p");
  EXPECT_EQ(described.asked.format, ItemFormat::kIon);
  EXPECT_EQ(described.asked.incremental, true);
  EXPECT_EQ(described.manifest, "m");
  EXPECT_EQ(described.items, 3U);
  EXPECT_EQ(described.billed_bytes, 4U);
  EXPECT_EQ(described.asked.window.value().from.value().time_since_epoch().count(), 5000);
  EXPECT_EQ(described.asked.window->to.value().time_since_epoch().count(), 6000);
  EXPECT_FALSE(described.asked.window->old_images);
  EXPECT_FALSE(described.failure);
}

TEST(ExportJson, may_lack_most_of_it) {
  const auto read = [](const std::string& rest) {
    return read_response(DescribeExport{},
                         R"({"ExportDescription":{"ExportArn":"arn:e","ExportStatus":"FAILED")" + rest + "}}", {});
  };
  const ExportDescription bare = read("").value();
  EXPECT_EQ(bare.asked.incremental, std::nullopt);
  EXPECT_FALSE(bare.asked.window);
  EXPECT_FALSE(bare.ended);
  EXPECT_FALSE(bare.items);
  EXPECT_EQ(read(R"(,"ExportType":"FULL_EXPORT")").value().asked.incremental, false);
  const JobFailure failure = read(R"(,"FailureCode":"S3NoSuchBucket","FailureMessage":"none")").value().failure.value();
  EXPECT_EQ(failure.code, "S3NoSuchBucket");
  EXPECT_EQ(failure.message, "none");
  EXPECT_THAT(read(R"(,"ExportType":1)"), fails_with(Code::kUnexpectedResponse));
}

}  // namespace
}  // namespace dolmen::remote
