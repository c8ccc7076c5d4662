// Exports, imports and bulk operations as JSON.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "protocol/object_writer.h"
#include "remote/json_fields.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"
#include "value/json.h"

namespace dolmen::remote {
namespace {

std::string time_text(TableTime time) {
  const std::int64_t milliseconds = time.time_since_epoch().count();
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

void add_text(ObjectWriter& object, std::string_view name, const std::optional<std::string>& text) {
  if (text) object.text(name, *text);
}

void add_time(ObjectWriter& object, std::string_view name, const std::optional<TableTime>& time) {
  if (time) object.json(name, time_text(*time));
}

void add_place(ObjectWriter& object, const BucketPlace& place, std::string_view prefix) {
  if (!place.bucket.empty()) object.text("S3Bucket", place.bucket);
  add_text(object, "S3BucketOwner", place.owner);
  add_text(object, prefix, place.prefix);
}

void add_encryption(ObjectWriter& object, const BucketEncryption& encryption) {
  add_text(object, "S3SseAlgorithm", encryption.algorithm);
  add_text(object, "S3SseKmsKeyId", encryption.kms_key);
}

void add_filter(ObjectWriter& object, const ExportFilter& filter) {
  ObjectWriter specification(object.member("FilterSpecification"));
  add_text(specification, "KeyConditionExpression", filter.key_condition);
  add_text(specification, "FilterExpression", filter.filter);
  add_text(specification, "ProjectionExpression", filter.projection);
  if (!filter.placeholders.names.empty()) {
    ObjectWriter names(specification.member("ExpressionAttributeNames"));
    for (const auto& [placeholder, name] : filter.placeholders.names) names.text(placeholder, name);
    names.end();
  }
  if (!filter.placeholders.values.empty())
    specification.json("ExpressionAttributeValues", json::to_text(filter.placeholders.values));
  specification.end();
}

Result<std::optional<TableTime>> time_in(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const auto seconds, fields.optional<double>(name));
  if (!seconds) return std::nullopt;
  constexpr double kLatestSeconds = 1e12;
  return TableTime(std::chrono::milliseconds(std::llround(std::clamp(*seconds, 0.0, kLatestSeconds) * 1000)));
}

Result<std::optional<std::string>> text_in(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const auto text, fields.optional<std::string_view>(name));
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

Result<std::optional<std::uint64_t>> count_in(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const auto count, fields.optional<std::int64_t>(name));
  return count ? std::optional(static_cast<std::uint64_t>(std::max<std::int64_t>(*count, 0))) : std::nullopt;
}

Result<std::uint64_t> count_or_zero(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const std::optional<std::uint64_t> count, count_in(fields, name));
  return count.value_or(0);
}

Result<JobStatus> status_in(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const auto text, fields.required<std::string_view>(name));
  const std::optional<JobStatus> status = job_status_of(text);
  if (!status) return unexpected_response(name);
  return *status;
}

Result<std::optional<JobFailure>> failure_in(const Fields& fields) {
  DOLMEN_TRY(const auto code, text_in(fields, "FailureCode"));
  DOLMEN_TRY(const auto message, text_in(fields, "FailureMessage"));
  if (!code && !message) return std::nullopt;
  return JobFailure{.code = code.value_or(""), .message = message.value_or("")};
}

Result<BucketPlace> place_in(const Fields& fields, std::string_view prefix) {
  BucketPlace place;
  DOLMEN_TRY(const auto bucket, text_in(fields, "S3Bucket"));
  place.bucket = bucket.value_or("");
  DOLMEN_TRY(place.owner, text_in(fields, "S3BucketOwner"));
  DOLMEN_TRY(place.prefix, text_in(fields, prefix));
  return place;
}

/// The times of a job, and why it failed.
template <class Description>
Result<void> read_life(const Fields& fields, Description& described) {
  DOLMEN_TRY(const auto started, time_in(fields, "StartTime"));
  described.started = started.value_or(TableTime());
  DOLMEN_TRY(described.ended, time_in(fields, "EndTime"));
  DOLMEN_TRY(described.failure, failure_in(fields));
  return {};
}

Result<ExportDescription> read_export(const Fields& fields) {
  ExportDescription described;
  DOLMEN_TRY(described.arn, fields.required<std::string_view>("ExportArn"));
  DOLMEN_TRY(described.status, status_in(fields, "ExportStatus"));
  DOLMEN_TRY_VOID(read_life(fields, described));
  ExportTableRequest& asked = described.asked;
  DOLMEN_TRY(const auto table_arn, text_in(fields, "TableArn"));
  DOLMEN_TRY(const auto table_id, text_in(fields, "TableId"));
  asked.table_arn = table_arn.value_or("");
  described.table_id = table_id.value_or("");
  DOLMEN_TRY(asked.time, time_in(fields, "ExportTime"));
  DOLMEN_TRY(asked.client_token, text_in(fields, "ClientToken"));
  DOLMEN_TRY(asked.to, place_in(fields, "S3Prefix"));
  DOLMEN_TRY(asked.encryption.algorithm, text_in(fields, "S3SseAlgorithm"));
  DOLMEN_TRY(asked.encryption.kms_key, text_in(fields, "S3SseKmsKeyId"));
  DOLMEN_TRY(const auto format, text_in(fields, "ExportFormat"));
  asked.format = item_format_of(format.value_or("DYNAMODB_JSON")).value_or(ItemFormat::kDynamoJson);
  DOLMEN_TRY(const auto type, text_in(fields, "ExportType"));
  if (type) asked.incremental = *type == "INCREMENTAL_EXPORT";
  DOLMEN_TRY(described.manifest, text_in(fields, "ExportManifest"));
  DOLMEN_TRY(described.items, count_in(fields, "ItemCount"));
  DOLMEN_TRY(described.billed_bytes, count_in(fields, "BilledSizeBytes"));
  DOLMEN_TRY(const auto window, fields.optional<json::Object>("IncrementalExportSpecification"));
  if (!window) return described;
  asked.window.emplace();
  DOLMEN_TRY(asked.window->from, time_in(Fields(*window), "ExportFromTime"));
  DOLMEN_TRY(asked.window->to, time_in(Fields(*window), "ExportToTime"));
  DOLMEN_TRY(const auto view, text_in(Fields(*window), "ExportViewType"));
  asked.window->old_images = view.value_or("NEW_AND_OLD_IMAGES") == "NEW_AND_OLD_IMAGES";
  return described;
}

Result<ImportDescription> read_import(const Fields& fields) {
  ImportDescription described;
  DOLMEN_TRY(described.arn, fields.required<std::string_view>("ImportArn"));
  DOLMEN_TRY(described.status, status_in(fields, "ImportStatus"));
  DOLMEN_TRY_VOID(read_life(fields, described));
  ImportTableRequest& asked = described.asked;
  DOLMEN_TRY(const auto table_arn, text_in(fields, "TableArn"));
  DOLMEN_TRY(const auto table_id, text_in(fields, "TableId"));
  DOLMEN_TRY(const auto log_group, text_in(fields, "CloudWatchLogGroupArn"));
  described.table_arn = table_arn.value_or("");
  described.table_id = table_id.value_or("");
  described.log_group_arn = log_group.value_or("");
  DOLMEN_TRY(asked.client_token, text_in(fields, "ClientToken"));
  DOLMEN_TRY(const auto source, fields.optional<json::Object>("S3BucketSource"));
  if (source) {
    DOLMEN_TRY(asked.from, place_in(Fields(*source), "S3KeyPrefix"));
  }
  DOLMEN_TRY(const auto format, text_in(fields, "InputFormat"));
  asked.format = item_format_of(format.value_or("DYNAMODB_JSON")).value_or(ItemFormat::kDynamoJson);
  DOLMEN_TRY(const auto compression, text_in(fields, "InputCompressionType"));
  asked.compression = object_compression_of(compression.value_or("NONE")).value_or(ObjectCompression::kNone);
  DOLMEN_TRY(const auto parameters, fields.optional<json::Object>("TableCreationParameters"));
  if (parameters) {
    DOLMEN_TRY(asked.table.name, Fields(*parameters).required<std::string_view>("TableName"));
  }
  DOLMEN_TRY(described.processed_bytes, count_or_zero(fields, "ProcessedSizeBytes"));
  DOLMEN_TRY(described.processed_items, count_or_zero(fields, "ProcessedItemCount"));
  DOLMEN_TRY(described.imported_items, count_or_zero(fields, "ImportedItemCount"));
  DOLMEN_TRY(described.errors, count_or_zero(fields, "ErrorCount"));
  return described;
}

Result<BulkOperationDescription> read_bulk_operation(const Fields& fields) {
  BulkOperationDescription described;
  DOLMEN_TRY(described.arn, fields.required<std::string_view>("BulkOperationArn"));
  DOLMEN_TRY(described.status, status_in(fields, "BulkOperationStatus"));
  DOLMEN_TRY_VOID(read_life(fields, described));
  BulkPutRequest& asked = described.asked;
  DOLMEN_TRY(const auto tables, fields.optional<json::Array>("TableDetails"));
  if (tables)
    for (const json::Element element : *tables) {
      DOLMEN_TRY(const Fields table, Fields::of(element));
      DOLMEN_TRY(const auto name, text_in(table, "TableName"));
      DOLMEN_TRY(const auto id, text_in(table, "TableId"));
      asked.table = name.value_or("");
      described.table_id = id.value_or("");
    }
  DOLMEN_TRY(asked.client_token, text_in(fields, "ClientToken"));
  DOLMEN_TRY(const auto input, fields.optional<json::Object>("InputS3Configuration"));
  if (input) {
    DOLMEN_TRY(asked.from, place_in(Fields(*input), "S3KeyPrefix"));
  }
  DOLMEN_TRY(const auto output, fields.optional<json::Object>("OutputS3Configuration"));
  if (output) {
    DOLMEN_TRY(asked.reports, place_in(Fields(*output), "S3KeyPrefix"));
  }
  DOLMEN_TRY(asked.max_write_units, fields.optional<std::int64_t>("MaxWriteRequestUnits"));
  DOLMEN_TRY(asked.tier, text_in(fields, "PerformanceTier"));
  DOLMEN_TRY(described.processed_bytes, count_or_zero(fields, "ProcessedInputSizeBytes"));
  DOLMEN_TRY(described.processed_items, count_or_zero(fields, "ProcessedItemCount"));
  DOLMEN_TRY(described.failed_items, count_or_zero(fields, "FailedItemCount"));
  return described;
}

/// The one structure of a response.
template <class Read>
auto read_described(std::string_view body, std::string_view name, Read read)
    -> decltype(read(std::declval<const Fields&>())) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object described, fields.required<json::Object>(name));
  return read(Fields(described));
}

/// The list of a response, and the token for the next page.
template <class Page, class List, class Read>
Result<Page> read_list(std::string_view body, std::string_view name, List Page::* list, Read read) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  Page page;
  DOLMEN_TRY(const auto elements, fields.optional<json::Array>(name));
  if (elements)
    for (const json::Element element : *elements) {
      DOLMEN_TRY(const Fields one, Fields::of(element));
      DOLMEN_TRY(auto described, read(one));
      (page.*list).push_back(std::move(described));
    }
  DOLMEN_TRY(page.next_token, text_in(fields, "NextToken"));
  return page;
}

std::string arn_body(std::string_view name, const std::string& arn) {
  return object_text([&](ObjectWriter& object) { object.text(name, arn); });
}

}  // namespace

Result<std::string> request_body(const ExportTableRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TableArn", request.table_arn);
    add_time(object, "ExportTime", request.time);
    add_text(object, "ClientToken", request.client_token);
    add_place(object, request.to, "S3Prefix");
    add_encryption(object, request.encryption);
    object.text("ExportFormat", item_format_name(request.format));
    if (request.incremental) object.text("ExportType", *request.incremental ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
    if (request.window) {
      ObjectWriter window(object.member("IncrementalExportSpecification"));
      add_time(window, "ExportFromTime", request.window->from);
      add_time(window, "ExportToTime", request.window->to);
      window.text("ExportViewType", request.window->old_images ? "NEW_AND_OLD_IMAGES" : "NEW_IMAGE");
      window.end();
    }
    if (request.filter) add_filter(object, *request.filter);
  });
}

Result<std::string> request_body(const DescribeExportRequest& request) { return arn_body("ExportArn", request.arn); }

Result<std::string> request_body(const ListExportsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    add_text(object, "TableArn", request.table_arn);
    if (request.limit) object.number("MaxResults", *request.limit);
    add_text(object, "NextToken", request.next_token);
  });
}

Result<std::string> request_body(const ImportTableRequest& request) {
  DOLMEN_TRY(const std::string table, request_body(request.table));
  return object_text([&](ObjectWriter& object) {
    add_text(object, "ClientToken", request.client_token);
    ObjectWriter source(object.member("S3BucketSource"));
    add_place(source, request.from, "S3KeyPrefix");
    source.end();
    object.text("InputFormat", item_format_name(request.format))
        .text("InputCompressionType", object_compression_name(request.compression));
    if (request.csv) {
      ObjectWriter options(object.member("InputFormatOptions"));
      ObjectWriter csv(options.member("Csv"));
      add_text(csv, "Delimiter", request.csv->delimiter);
      if (!request.csv->header.empty()) csv.texts("HeaderList", request.csv->header);
      csv.end();
      options.end();
    }
    object.json("TableCreationParameters", table);
  });
}

Result<std::string> request_body(const DescribeImportRequest& request) { return arn_body("ImportArn", request.arn); }

Result<std::string> request_body(const ListImportsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    add_text(object, "TableArn", request.table_arn);
    if (request.limit) object.number("PageSize", *request.limit);
    add_text(object, "NextToken", request.next_token);
  });
}

Result<std::string> request_body(const BulkPutRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TableName", request.table);
    add_text(object, "ClientToken", request.client_token);
    ObjectWriter input(object.member("InputS3Configuration"));
    add_place(input, request.from, "S3KeyPrefix");
    input.text("InputFormat", item_format_name(request.format))
        .text("InputCompressionType", object_compression_name(request.compression));
    input.end();
    ObjectWriter output(object.member("OutputS3Configuration"));
    add_place(output, request.reports, "S3KeyPrefix");
    add_encryption(output, request.encryption);
    std::vector<std::string> types;
    if (request.report_errors) types.emplace_back("ERROR");
    if (request.report_failed_conditions) types.emplace_back("CONDITION_CHECK_FAILURE");
    output.texts("OutputType", types);
    output.end();
    if (request.max_write_units) object.number("MaxWriteRequestUnits", *request.max_write_units);
    add_text(object, "PerformanceTier", request.tier);
  });
}

Result<std::string> request_body(const DescribeBulkOperationRequest& request) {
  return arn_body("BulkOperationArn", request.arn);
}

Result<std::string> request_body(const CancelBulkOperationRequest& request) {
  return arn_body("BulkOperationArn", request.arn);
}

Result<std::string> request_body(const ListBulkOperationsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    if (request.limit) object.number("MaxResults", *request.limit);
    add_text(object, "NextToken", request.next_token);
  });
}

Result<ExportDescription> read_response(ExportTableToPointInTime /*operation*/, std::string_view body,
                                        const ExportTableRequest& /*asked*/) {
  return read_described(body, "ExportDescription", read_export);
}

Result<ExportDescription> read_response(DescribeExport /*operation*/, std::string_view body,
                                        const DescribeExportRequest& /*asked*/) {
  return read_described(body, "ExportDescription", read_export);
}

Result<ExportPage> read_response(ListExports /*operation*/, std::string_view body,
                                 const ListExportsRequest& /*asked*/) {
  return read_list<ExportPage>(body, "ExportSummaries", &ExportPage::exports, read_export);
}

Result<ImportDescription> read_response(ImportTable /*operation*/, std::string_view body,
                                        const ImportTableRequest& /*asked*/) {
  return read_described(body, "ImportTableDescription", read_import);
}

Result<ImportDescription> read_response(DescribeImport /*operation*/, std::string_view body,
                                        const DescribeImportRequest& /*asked*/) {
  return read_described(body, "ImportTableDescription", read_import);
}

Result<ImportPage> read_response(ListImports /*operation*/, std::string_view body,
                                 const ListImportsRequest& /*asked*/) {
  return read_list<ImportPage>(body, "ImportSummaryList", &ImportPage::imports, read_import);
}

Result<BulkOperationDescription> read_response(StartBulkPutItems /*operation*/, std::string_view body,
                                               const BulkPutRequest& /*asked*/) {
  return read_described(body, "BulkOperationDescription", read_bulk_operation);
}

Result<BulkOperationDescription> read_response(DescribeBulkOperation /*operation*/, std::string_view body,
                                               const DescribeBulkOperationRequest& /*asked*/) {
  return read_described(body, "BulkOperationDescription", read_bulk_operation);
}

Result<BulkOperationDescription> read_response(CancelBulkOperation /*operation*/, std::string_view body,
                                               const CancelBulkOperationRequest& /*asked*/) {
  return read_described(body, "BulkOperationDescription", read_bulk_operation);
}

Result<BulkOperationPage> read_response(ListBulkOperations /*operation*/, std::string_view body,
                                        const ListBulkOperationsRequest& /*asked*/) {
  return read_list<BulkOperationPage>(body, "BulkOperationsSummaryList", &BulkOperationPage::operations,
                                      read_bulk_operation);
}

}  // namespace dolmen::remote
