#include "wire/transfer_json.h"

#include <vector>

#include "protocol/object_writer.h"
#include "protocol/table_forms.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

void append_job_text(ObjectWriter& object, std::string_view name, const std::optional<std::string>& text) {
  if (text) object.text(name, *text);
}

void append_job_time(ObjectWriter& object, std::string_view name, const std::optional<TableTime>& time) {
  if (time) object.json(name, seconds_of(*time));
}

void append_job_failure(ObjectWriter& object, const std::optional<JobFailure>& failure) {
  if (failure) object.text("FailureCode", failure->code).text("FailureMessage", failure->message);
}

void append_export(ObjectWriter& object, const ExportDescription& described) {
  const ExportTableRequest& asked = described.asked;
  object.text("ExportArn", described.arn)
      .text("ExportStatus", job_status_name(described.status))
      .json("StartTime", seconds_of(described.started));
  append_job_time(object, "EndTime", described.ended);
  append_job_text(object, "ExportManifest", described.manifest);
  object.text("TableArn", asked.table_arn).text("TableId", described.table_id);
  append_job_time(object, "ExportTime", asked.time);
  append_job_text(object, "ClientToken", asked.client_token);
  object.text("S3Bucket", asked.to.bucket);
  append_job_text(object, "S3BucketOwner", asked.to.owner);
  append_job_text(object, "S3Prefix", asked.to.prefix);
  object.text("S3SseAlgorithm", asked.encryption.algorithm.value_or("AES256"));
  append_job_text(object, "S3SseKmsKeyId", asked.encryption.kms_key);
  append_job_failure(object, described.failure);
  object.text("ExportFormat", item_format_name(asked.format));
  if (described.billed_bytes) object.number("BilledSizeBytes", *described.billed_bytes);
  if (described.items) object.number("ItemCount", *described.items);
  if (asked.incremental) object.text("ExportType", *asked.incremental ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
  if (!asked.window) return;
  ObjectWriter window(object.member("IncrementalExportSpecification"));
  append_job_time(window, "ExportFromTime", asked.window->from);
  append_job_time(window, "ExportToTime", asked.window->to);
  window.text("ExportViewType", asked.window->old_images ? "NEW_AND_OLD_IMAGES" : "NEW_IMAGE");
  window.end();
}

void append_bucket_place(ObjectWriter& object, const BucketPlace& place) {
  append_job_text(object, "S3BucketOwner", place.owner);
  if (!place.bucket.empty()) object.text("S3Bucket", place.bucket);
  append_job_text(object, "S3KeyPrefix", place.prefix);
}

void append_import_units(ObjectWriter& object, const Throughput& throughput) {
  ObjectWriter units(object.member("ProvisionedThroughput"));
  units.number("ReadCapacityUnits", throughput.read_units).number("WriteCapacityUnits", throughput.write_units);
  units.end();
}

void append_import_limits(ObjectWriter& object, const OnDemandThroughput& on_demand) {
  if (on_demand == OnDemandThroughput{}) return;
  ObjectWriter limits(object.member("OnDemandThroughput"));
  if (on_demand.max_read_units) limits.number("MaxReadRequestUnits", *on_demand.max_read_units);
  if (on_demand.max_write_units) limits.number("MaxWriteRequestUnits", *on_demand.max_write_units);
  limits.end();
}

void append_import_table(ObjectWriter& object, const TableDefinition& table) {
  ObjectWriter parameters(object.member("TableCreationParameters"));
  parameters.text("TableName", table.name);
  append_attribute_definitions(parameters.member("AttributeDefinitions"), table);
  append_key_schema(parameters.member("KeySchema"), {table.partition_key},
                    table.sort_key ? std::vector{*table.sort_key} : std::vector<KeyAttribute>{});
  const bool provisioned = table.billing_mode == BillingMode::kProvisioned;
  parameters.text("BillingMode", provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (provisioned) append_import_units(parameters, table.throughput);
  append_import_limits(parameters, table.on_demand);
  if (table.kms_key) {
    ObjectWriter encryption(parameters.member("SSESpecification"));
    encryption.flag("Enabled", true).text("SSEType", "KMS").text("KMSMasterKeyId", *table.kms_key);
    encryption.end();
  }
  if (!table.global_indexes.empty())
    parameters.objects("GlobalSecondaryIndexes", table.global_indexes,
                       [&](ObjectWriter& one, const IndexDefinition& index) {
                         one.text("IndexName", index.name);
                         append_key_schema(one.member("KeySchema"), index.partition_keys, index.sort_keys);
                         append_projection(one.member("Projection"), index);
                         if (provisioned) append_import_units(one, index.throughput);
                         append_import_limits(one, index.on_demand);
                       });
  if (!table.vector_indexes.empty()) parameters.objects("VectorIndexes", table.vector_indexes, append_vector_index);
  parameters.end();
}

void append_import_source(ObjectWriter& object, const BucketPlace& from) {
  ObjectWriter source(object.member("S3BucketSource"));
  append_bucket_place(source, from);
  source.end();
}

void append_import(ObjectWriter& object, const ImportDescription& described) {
  const ImportTableRequest& asked = described.asked;
  object.text("ImportArn", described.arn)
      .text("ImportStatus", job_status_name(described.status))
      .text("TableArn", described.table_arn);
  if (!described.table_id.empty()) object.text("TableId", described.table_id);
  append_job_text(object, "ClientToken", asked.client_token);
  append_import_source(object, asked.from);
  object.number("ErrorCount", described.errors)
      .text("CloudWatchLogGroupArn", described.log_group_arn)
      .text("InputFormat", item_format_name(asked.format));
  if (asked.csv) {
    ObjectWriter options(object.member("InputFormatOptions"));
    ObjectWriter csv(options.member("Csv"));
    append_job_text(csv, "Delimiter", asked.csv->delimiter);
    if (!asked.csv->header.empty()) csv.texts("HeaderList", asked.csv->header);
    csv.end();
    options.end();
  }
  object.text("InputCompressionType", object_compression_name(asked.compression));
  append_import_table(object, asked.table);
  object.json("StartTime", seconds_of(described.started));
  append_job_time(object, "EndTime", described.ended);
  if (described.processed_bytes > 0) object.number("ProcessedSizeBytes", described.processed_bytes);
  object.number("ProcessedItemCount", described.processed_items).number("ImportedItemCount", described.imported_items);
  append_job_failure(object, described.failure);
}

void append_bulk_operation(ObjectWriter& object, const BulkOperationDescription& described) {
  const BulkPutRequest& asked = described.asked;
  object.text("BulkOperationArn", described.arn).text("BulkOperationStatus", job_status_name(described.status));
  object.objects("TableDetails", std::vector{asked.table}, [&](ObjectWriter& one, const std::string& name) {
    one.text("TableName", name).text("TableId", described.table_id);
  });
  append_job_text(object, "ClientToken", asked.client_token);
  ObjectWriter input(object.member("InputS3Configuration"));
  append_bucket_place(input, asked.from);
  input.text("InputFormat", item_format_name(asked.format))
      .text("InputCompressionType", object_compression_name(asked.compression));
  input.end();
  ObjectWriter output(object.member("OutputS3Configuration"));
  append_bucket_place(output, asked.reports);
  append_job_text(output, "S3SseAlgorithm", asked.encryption.algorithm);
  append_job_text(output, "S3SseKmsKeyId", asked.encryption.kms_key);
  std::vector<std::string> types;
  if (asked.report_errors) types.emplace_back("ERROR");
  if (asked.report_failed_conditions) types.emplace_back("CONDITION_CHECK_FAILURE");
  output.texts("OutputType", types);
  output.end();
  object.json("StartTime", seconds_of(described.started));
  append_job_time(object, "EndTime", described.ended);
  object.number("ProcessedInputSizeBytes", described.processed_bytes)
      .number("ProcessedItemCount", described.processed_items)
      .number("FailedItemCount", described.failed_items);
  if (asked.max_write_units) object.number("MaxWriteRequestUnits", *asked.max_write_units);
  object.text("PerformanceTier", asked.tier.value_or("STANDARD"));
  object.objects("BulkOperationUsage", std::vector{asked.table}, [&](ObjectWriter& one, const std::string& name) {
    one.text("TableName", name).number("BulkPutBytes", described.put_bytes);
    ObjectWriter table(one.member("Table"));
    table.number("BulkPutBytes", described.put_bytes);
    table.end();
  });
  append_job_failure(object, described.failure);
}

template <class Description, class Append>
std::string job_body(std::string_view name, const Description& description, Append append) {
  return object_text([&](ObjectWriter& object) {
    ObjectWriter described(object.member(name));
    append(described, description);
    described.end();
  });
}

}  // namespace

std::string export_description_body(const ExportDescription& description) {
  return job_body("ExportDescription", description, append_export);
}

std::string export_page_body(const ExportPage& page) {
  return object_text([&](ObjectWriter& object) {
    object.objects("ExportSummaries", page.exports, [](ObjectWriter& one, const ExportDescription& described) {
      one.text("ExportArn", described.arn).text("ExportStatus", job_status_name(described.status));
      one.text("ExportType", described.asked.window ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
    });
    append_job_text(object, "NextToken", page.next_token);
  });
}

std::string import_description_body(const ImportDescription& description) {
  return job_body("ImportTableDescription", description, append_import);
}

std::string import_page_body(const ImportPage& page) {
  return object_text([&](ObjectWriter& object) {
    object.objects("ImportSummaryList", page.imports, [](ObjectWriter& one, const ImportDescription& described) {
      one.text("ImportArn", described.arn)
          .text("ImportStatus", job_status_name(described.status))
          .text("TableArn", described.table_arn);
      append_import_source(one, described.asked.from);
      one.text("CloudWatchLogGroupArn", described.log_group_arn)
          .text("InputFormat", item_format_name(described.asked.format))
          .json("StartTime", seconds_of(described.started));
      append_job_time(one, "EndTime", described.ended);
    });
    append_job_text(object, "NextToken", page.next_token);
  });
}

std::string bulk_operation_body(const BulkOperationDescription& description) {
  return job_body("BulkOperationDescription", description, append_bulk_operation);
}

std::string bulk_operation_page_body(const BulkOperationPage& page) {
  return object_text([&](ObjectWriter& object) {
    object.objects("BulkOperationsSummaryList", page.operations,
                   [](ObjectWriter& one, const BulkOperationDescription& described) {
                     one.text("BulkOperationArn", described.arn)
                         .text("BulkOperationStatus", job_status_name(described.status))
                         .json("StartTime", seconds_of(described.started));
                     append_job_time(one, "EndTime", described.ended);
                   });
    append_job_text(object, "NextToken", page.next_token);
  });
}

}  // namespace dolmen::wire
