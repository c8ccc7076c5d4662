// Names that stand in requests, in responses and on disk.
#include <gtest/gtest.h>

#include "dolmen/backup.h"
#include "service/requests.h"
#include "service/transfer_requests.h"

namespace dolmen {
namespace {

/// Checks that each value is found again by its name, and nothing by another name.
template <class T, class Name, class Find>
void expect_known(std::initializer_list<std::pair<T, std::string_view>> all, Name name, Find find) {
  for (const auto& [value, text] : all) {
    EXPECT_EQ(name(value), text);
    EXPECT_EQ(find(text), value) << text;
  }
  for (const char* text : {"", "none", "insert", "INSERTED", "ION ", "FAILE"})
    EXPECT_EQ(find(text), std::nullopt) << text;
}

TEST(Names, of_events_in_streams) {
  expect_known<StreamEvent>(
      {{StreamEvent::kInsert, "INSERT"}, {StreamEvent::kModify, "MODIFY"}, {StreamEvent::kRemove, "REMOVE"}},
      stream_event_name, stream_event_of);
}

TEST(Names, of_backups) {
  expect_known<BackupStatus>({{BackupStatus::kCreating, "CREATING"},
                              {BackupStatus::kAvailable, "AVAILABLE"},
                              {BackupStatus::kDeleted, "DELETED"}},
                             backup_status_name, backup_status_of);
  expect_known<BackupType>(
      {{BackupType::kUser, "USER"}, {BackupType::kSystem, "SYSTEM"}, {BackupType::kAwsBackup, "AWS_BACKUP"}},
      backup_type_name, backup_type_of);
}

TEST(Names, of_exports_and_imports) {
  expect_known<JobStatus>({{JobStatus::kInProgress, "IN_PROGRESS"},
                           {JobStatus::kCompleted, "COMPLETED"},
                           {JobStatus::kCompletedWithErrors, "COMPLETED_WITH_ERRORS"},
                           {JobStatus::kCancelling, "CANCELLING"},
                           {JobStatus::kCancelled, "CANCELLED"},
                           {JobStatus::kFailed, "FAILED"}},
                          job_status_name, job_status_of);
  expect_known<ItemFormat>(
      {{ItemFormat::kDynamoJson, "DYNAMODB_JSON"}, {ItemFormat::kIon, "ION"}, {ItemFormat::kCsv, "CSV"}},
      item_format_name, item_format_of);
  expect_known<ObjectCompression>(
      {{ObjectCompression::kNone, "NONE"}, {ObjectCompression::kGzip, "GZIP"}, {ObjectCompression::kZstd, "ZSTD"}},
      object_compression_name, object_compression_of);
}

}  // namespace
}  // namespace dolmen
