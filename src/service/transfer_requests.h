#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/table.h"
#include "expr/binding.h"

/// Requests that bring tables to buckets and items from buckets to tables. They start jobs, which go on by themselves.
namespace dolmen {

enum class JobStatus : std::uint8_t {
  kInProgress,
  kCompleted,
  kCompletedWithErrors,
  kCancelling,
  kCancelled,
  kFailed,
};
/// How items stand in objects.
enum class ItemFormat : std::uint8_t { kDynamoJson, kIon, kCsv };
enum class ObjectCompression : std::uint8_t { kNone, kGzip, kZstd };

/// IN_PROGRESS, COMPLETED, COMPLETED_WITH_ERRORS, CANCELLING, CANCELLED or FAILED.
std::string_view job_status_name(JobStatus status);
std::optional<JobStatus> job_status_of(std::string_view name);
/// DYNAMODB_JSON, ION or CSV.
std::string_view item_format_name(ItemFormat format);
std::optional<ItemFormat> item_format_of(std::string_view name);
/// NONE, GZIP or ZSTD.
std::string_view object_compression_name(ObjectCompression compression);
std::optional<ObjectCompression> object_compression_of(std::string_view name);

/// Where objects are.
struct BucketPlace {
  std::string bucket;
  std::optional<std::string> owner = std::nullopt;
  std::optional<std::string> prefix = std::nullopt;

  friend bool operator==(const BucketPlace&, const BucketPlace&) = default;
};

/// How written objects are encrypted, which only a remote store does.
struct BucketEncryption {
  /// AES256 or KMS.
  std::optional<std::string> algorithm = std::nullopt;
  std::optional<std::string> kms_key = std::nullopt;

  friend bool operator==(const BucketEncryption&, const BucketEncryption&) = default;
};

/// Why a job has failed.
struct JobFailure {
  /// S3NoSuchBucket, S3AccessDenied, ItemValidationError and others.
  std::string code;
  std::string message;

  friend bool operator==(const JobFailure&, const JobFailure&) = default;
};

// ---- Exports ----

struct IncrementalExport {
  std::optional<TableTime> from = std::nullopt;
  std::optional<TableTime> to = std::nullopt;
  /// Otherwise only the new ones.
  bool old_images = true;

  friend bool operator==(const IncrementalExport&, const IncrementalExport&) = default;
};

/// Which items, and which of their attributes.
struct ExportFilter {
  std::optional<std::string> key_condition = std::nullopt;
  std::optional<std::string> filter = std::nullopt;
  std::optional<std::string> projection = std::nullopt;
  expr::Placeholders placeholders = {};
};

struct ExportTableRequest {
  std::string table_arn;
  /// Nothing: the latest moment. Only of a full export.
  std::optional<TableTime> time = std::nullopt;
  std::optional<std::string> client_token = std::nullopt;
  BucketPlace to;
  BucketEncryption encryption = {};
  ItemFormat format = ItemFormat::kDynamoJson;
  /// Whether it is incremental, if it was said.
  std::optional<bool> incremental = std::nullopt;
  std::optional<IncrementalExport> window = std::nullopt;
  std::optional<ExportFilter> filter = std::nullopt;
};

struct ExportDescription {
  std::string arn;
  JobStatus status = JobStatus::kInProgress;
  /// As it was asked for. Its time is that of the data.
  ExportTableRequest asked;
  std::string table_id;
  TableTime started;
  std::optional<TableTime> ended = std::nullopt;
  /// The key of the summary.
  std::optional<std::string> manifest = std::nullopt;
  std::optional<std::uint64_t> items = std::nullopt;
  std::optional<std::uint64_t> billed_bytes = std::nullopt;
  std::optional<JobFailure> failure = std::nullopt;
};

struct DescribeExportRequest {
  std::string arn;
};

struct ListExportsRequest {
  std::optional<std::string> table_arn = std::nullopt;
  std::optional<std::int64_t> limit = std::nullopt;
  std::optional<std::string> next_token = std::nullopt;
};

struct ExportPage {
  std::vector<ExportDescription> exports;
  std::optional<std::string> next_token = std::nullopt;
};

// ---- Imports ----

struct CsvInput {
  std::optional<std::string> delimiter = std::nullopt;
  /// Empty: the first record of each object has them.
  std::vector<std::string> header = {};

  friend bool operator==(const CsvInput&, const CsvInput&) = default;
};

struct ImportTableRequest {
  std::optional<std::string> client_token = std::nullopt;
  BucketPlace from;
  ItemFormat format = ItemFormat::kDynamoJson;
  std::optional<CsvInput> csv = std::nullopt;
  ObjectCompression compression = ObjectCompression::kNone;
  TableDefinition table;
};

struct ImportDescription {
  std::string arn;
  JobStatus status = JobStatus::kInProgress;
  ImportTableRequest asked;
  std::string table_arn;
  /// The id that the table has, or will have.
  std::string table_id = {};
  std::string log_group_arn = {};
  TableTime started;
  std::optional<TableTime> ended = std::nullopt;
  std::uint64_t processed_bytes = 0;
  std::uint64_t processed_items = 0;
  std::uint64_t imported_items = 0;
  std::uint64_t errors = 0;
  std::optional<JobFailure> failure = std::nullopt;
};

struct DescribeImportRequest {
  std::string arn;
};

struct ListImportsRequest {
  std::optional<std::string> table_arn = std::nullopt;
  std::optional<std::int64_t> limit = std::nullopt;
  std::optional<std::string> next_token = std::nullopt;
};

struct ImportPage {
  std::vector<ImportDescription> imports;
  std::optional<std::string> next_token = std::nullopt;
};

// ---- Putting many items into a table that exists ----

struct BulkPutRequest {
  std::string table;
  std::optional<std::string> client_token = std::nullopt;
  BucketPlace from;
  ItemFormat format = ItemFormat::kDynamoJson;
  ObjectCompression compression = ObjectCompression::kNone;
  /// Where the reports go. A place without a bucket: nowhere.
  BucketPlace reports;
  BucketEncryption encryption = {};
  bool report_errors = false;
  bool report_failed_conditions = false;
  std::optional<std::int64_t> max_write_units = std::nullopt;
  /// STANDARD or ACCELERATED.
  std::optional<std::string> tier = std::nullopt;
};

struct BulkOperationDescription {
  std::string arn;
  JobStatus status = JobStatus::kInProgress;
  BulkPutRequest asked;
  std::string table_id;
  TableTime started;
  std::optional<TableTime> ended = std::nullopt;
  std::uint64_t processed_bytes = 0;
  std::uint64_t processed_items = 0;
  std::uint64_t failed_items = 0;
  std::uint64_t failed_conditions = 0;
  /// The size of the items that were put.
  std::uint64_t put_bytes = 0;
  std::optional<JobFailure> failure = std::nullopt;
};

struct DescribeBulkOperationRequest {
  std::string arn;
};

struct CancelBulkOperationRequest {
  std::string arn;
};

struct ListBulkOperationsRequest {
  std::optional<std::int64_t> limit = std::nullopt;
  std::optional<std::string> next_token = std::nullopt;
};

struct BulkOperationPage {
  std::vector<BulkOperationDescription> operations;
  std::optional<std::string> next_token = std::nullopt;
};

}  // namespace dolmen
